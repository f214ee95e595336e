package dev.sluice.cli.replay;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds pods, events and records that were already read from any file of a run, so that each of them counts once. All
 * pods of lists are remembered, because they stay in memory until the end anyway. Logs can have any length, so only
 * their newest lines are remembered.
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

    /** Returns true if the pod that an audit event has created was read before. */
    boolean podOfLog(String uid) {
        return !uid.isEmpty() && (podsOfLists.contains(uid) || ofLogs.put("pod " + uid, true) != null);
    }

    /**
     * Returns true if this pod of a list was read before.
     *
     * @param key the uid, or another text that no other pod has
     */
    boolean podOfList(String key) {
        return !podsOfLists.add(key) || ofLogs.containsKey("pod " + key);
    }
}
