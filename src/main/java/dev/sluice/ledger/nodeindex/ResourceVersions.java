package dev.sluice.ledger.nodeindex;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells whether an event of a watch is news. A watch that is taken up again replays older events, which change nothing:
 * neither does one bring back an object that was removed.
 *
 * @param <K> identifies an object
 */
public final class ResourceVersions<K> {

    /**
     * So many removals are remembered, and the older half of more is not: a replay of a still older event could then
     * bring an object back, until the next list. The removal of a pod takes about 110 bytes, so that all of them are 11
     * of the heap's 192 MiB. A bookmark, which ends them, comes every minute, and no API server is known that deletes
     * 1,600 pods a second.
     */
    public static final int MOST_REMOVALS = 100_000;

    private final Map<K, Long> removals = new LinkedHashMap<>();
    private long bookmark;

    /** A list is believed whatever was seen before. */
    public void listed(long resourceVersion) {
        removals.clear();
        bookmark = resourceVersion;
    }

    /** Everything up to the bookmark is old, so that its removals need not be remembered. */
    public void bookmark(long resourceVersion) {
        bookmark = Math.max(bookmark, resourceVersion);
        removals.values().removeIf(version -> version <= bookmark);
    }

    /**
     * A source without versions is believed.
     *
     * @param known the version that is known of the object; 0 where none is
     */
    public boolean isNews(K key, long version, long known) {
        return version == 0 || (version > bookmark && version > removals.getOrDefault(key, 0L) && version > known);
    }

    /** To be called where the removal {@link #isNews}. */
    public void removed(K key, long version) {
        if (version == 0) {
            return;
        }
        removals.remove(key);
        removals.put(key, version);
        if (removals.size() > MOST_REMOVALS) {
            Iterator<Long> oldest = removals.values().iterator();
            for (int i = 0; i < MOST_REMOVALS / 2; i++) {
                oldest.next();
                oldest.remove();
            }
        }
    }
}
