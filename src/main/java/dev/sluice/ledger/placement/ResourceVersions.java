package dev.sluice.ledger.placement;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells whether an event is news. A watch that is resumed replays older events, which must change nothing: above all
 * they must not bring back an object that was removed.
 *
 * @param <K> identifies an object
 */
public final class ResourceVersions<K> {

    /**
     * Of more removals the older half is forgotten: a replay of a still older event could then bring an object back
     * until the next list. Each takes about 110 bytes, so that all of them are 11 MiB of a heap of 192 MiB. A bookmark
     * ends them every minute, and no API server is known that deletes 1,600 pods a second.
     */
    public static final int MOST_REMOVALS = 100_000;

    private final Map<K, Long> removals = new LinkedHashMap<>();
    private long bookmark;

    /** A list replaces everything that was seen before. */
    public void listed(long resourceVersion) {
        removals.clear();
        bookmark = resourceVersion;
    }

    /** Events up to the bookmark are old, so that removals up to it need not be remembered. */
    public void bookmark(long resourceVersion) {
        bookmark = Math.max(bookmark, resourceVersion);
        removals.values().removeIf(version -> version <= bookmark);
    }

    /**
     * Whether the event is newer than everything known of its object. An event without a version always is.
     *
     * @param known the version that is known of the object; 0 if none is
     */
    public boolean isNews(K key, long version, long known) {
        return version == 0 || (version > bookmark && version > removals.getOrDefault(key, 0L) && version > known);
    }

    /** To be called if the removal {@link #isNews}. */
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
