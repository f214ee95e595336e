package dev.sluice.cli.offline;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds pods, events and records that occur more than once in the files of a run, so that each is counted once. All
 * pods of lists are remembered, because they stay in memory until the end anyway. Logs can have any length, so only the
 * newest ids from logs are remembered.
 */
final class ReplayedBefore {

    /**
     * The maximum number of ids from logs that are remembered. An audit event has up to two: its auditID and the uid of
     * its pod.
     */
    private static final int REMEMBERED = 65_536;

    private final Set<String> podsOfLists = new HashSet<>();
    private final Map<String, Boolean> ofLogs = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Returns true if an audit event with this auditID, or a record with this id, was read before. */
    boolean line(String id) {
        return !id.isEmpty() && ofLogs.put("line " + id, true) != null;
    }

    /**
     * Returns true if the pod of an audit event was read before, from a log or a list. Returns false if its uid is
     * empty.
     */
    boolean podOfLog(String uid) {
        return !uid.isEmpty() && (podsOfLists.contains(uid) || ofLogs.put("pod " + uid, true) != null);
    }

    /**
     * Returns true if the pod of a list was read before, from a list or a log.
     *
     * @param key the uid of the pod, or another text that no other pod has
     */
    boolean podOfList(String key) {
        return !podsOfLists.add(key) || ofLogs.containsKey("pod " + key);
    }
}
