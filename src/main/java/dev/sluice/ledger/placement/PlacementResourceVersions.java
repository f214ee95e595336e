package dev.sluice.ledger.placement;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides whether an event of a watch is new. After an interruption, a watch may repeat older events. These must change
 * nothing, and in particular must not restore an object that was removed.
 *
 * @param <K> the key that identifies an object
 */
public final class PlacementResourceVersions<K> {

    /**
     * The maximum number of removals that are remembered. If there are more, the older half is dropped. An old event
     * could then restore a removed object until the next list. A removal takes about 110 bytes, so all removals take 11
     * MiB of a heap of 192 MiB. A bookmark clears them about every minute, so the limit is reached only if at least
     * 1,600 objects are deleted each second.
     */
    public static final int MOST_REMOVALS = 100_000;

    private final Map<K, Long> removals = new LinkedHashMap<>();
    private long bookmark;

    /**
     * Records a complete list with this resourceVersion. All events up to this version are old, and all removals are
     * forgotten.
     */
    public void listed(long resourceVersion) {
        removals.clear();
        bookmark = resourceVersion;
    }

    /** Records a bookmark. All events up to this version are old, so removals up to this version are forgotten. */
    public void bookmark(long resourceVersion) {
        bookmark = Math.max(bookmark, resourceVersion);
        removals.values().removeIf(version -> version <= bookmark);
    }

    /**
     * Returns true if the event is newer than everything that is known about its object. An event without a version
     * always counts as new.
     *
     * @param version the resourceVersion of the event; 0 if the event has none
     * @param known the resourceVersion that is known for the object; 0 if the object is not known
     */
    public boolean isNews(K key, long version, long known) {
        return version == 0 || (version > bookmark && version > removals.getOrDefault(key, 0L) && version > known);
    }

    /** Records a removal. The caller has checked that {@link #isNews} is true for the removal. */
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
