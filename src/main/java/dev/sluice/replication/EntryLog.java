package dev.sluice.replication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds the entries of this replica. An entry is a replicated decision whose reservation has not ended in this
 * replica's ledger. The position of an entry is its number, in the order in which this replica made or received the
 * entries. Positions in messages always refer to the log of the holder of the Lease.
 */
final class EntryLog<C> {

    /**
     * The position of a replica that has received nothing from the holder yet. A replica at position 0, in contrast,
     * knows that the log of the holder was empty.
     */
    static final long NOTHING = -1;

    /**
     * A part of the log.
     *
     * @param upTo the position up to which the part is complete
     */
    record LogPart<C>(long upTo, List<ReplicatedEntry<C>> entries) {}

    private final NavigableMap<Long, ReplicatedEntry<C>> byPosition = new TreeMap<>();
    private final Map<String, Long> byStamp = new HashMap<>();
    private final Map<String, Long> byUid = new HashMap<>();
    /**
     * The stamps (identifiers) of the reservations that have ended in this replica's ledger, with the time of the end.
     * An entry that arrives after the end of its reservation must not reserve again.
     */
    private final SequencedMap<String, Long> ended = new LinkedHashMap<>();

    private long last;

    long last() {
        return last;
    }

    int size() {
        return byPosition.size();
    }

    Optional<ReplicatedEntry<C>> ofUid(String uid) {
        return Optional.ofNullable(byUid.get(uid)).map(byPosition::get);
    }

    boolean hasEnded(ReplicatedEntry<C> entry) {
        return ended.containsKey(entry.stamp());
    }

    boolean contains(ReplicatedEntry<C> entry) {
        Long position = byStamp.get(entry.stamp());
        return position != null && entry.equals(byPosition.get(position));
    }

    /**
     * Adds an entry. Removes and returns the older entries with the same stamp (identifier of the reservation) or the
     * same uid.
     */
    List<ReplicatedEntry<C>> put(ReplicatedEntry<C> entry) {
        List<ReplicatedEntry<C>> replaced = new ArrayList<>(0);
        for (Long position : new Long[] {byStamp.get(entry.stamp()), byUid.get(entry.uid())}) {
            ReplicatedEntry<C> older = remove(position);
            if (older != null) {
                replaced.add(older);
            }
        }
        last++;
        byPosition.put(last, entry);
        byStamp.put(entry.stamp(), last);
        byUid.put(entry.uid(), last);
        return replaced;
    }

    /** Returns the stamps (identifiers of the reservations) of all entries. */
    Set<String> stamps() {
        return Set.copyOf(byStamp.keySet());
    }

    /**
     * Removes the entry of the reservation with this stamp, if there is one. If a holder sends the entry again, this
     * replica accepts it. Entries that {@link #prune} has removed are not accepted again.
     */
    Optional<ReplicatedEntry<C>> remove(String stamp) {
        return Optional.ofNullable(remove(byStamp.get(stamp)));
    }

    private @Nullable ReplicatedEntry<C> remove(@Nullable Long position) {
        ReplicatedEntry<C> entry = position == null ? null : byPosition.remove(position);
        if (entry != null) {
            byStamp.remove(entry.stamp());
            byUid.remove(entry.uid());
        }
        return entry;
    }

    /**
     * Removes the entries whose reservations have ended, and forgets the stamps (identifiers) of reservations that
     * ended before {@code since}.
     */
    void prune(Predicate<ReplicatedEntry<C>> reserved, long now, long since) {
        List<Long> over = new ArrayList<>();
        byPosition.forEach((position, entry) -> {
            if (!reserved.test(entry)) {
                over.add(position);
                ended.put(entry.stamp(), now);
            }
        });
        for (Long position : over) {
            var _ = remove(position);
        }
        while (!ended.isEmpty() && ended.firstEntry().getValue() < since) {
            var _ = ended.pollFirstEntry();
        }
    }

    /**
     * Returns the entries after a position in the log.
     *
     * @param most the maximum number of entries
     * @param mostWeight the maximum weight of all returned entries together. The first entry is returned even if it is
     *     heavier
     */
    LogPart<C> after(long position, int most, ToLongFunction<C> weight, long mostWeight) {
        List<ReplicatedEntry<C>> entries = new ArrayList<>();
        long total = 0;
        for (Map.Entry<Long, ReplicatedEntry<C>> next :
                byPosition.tailMap(position, false).entrySet()) {
            total += weight.applyAsLong(next.getValue().change());
            if (entries.size() == most || (total > mostWeight && !entries.isEmpty())) {
                return new LogPart<>(next.getKey() - 1, entries);
            }
            entries.add(next.getValue());
        }
        return new LogPart<>(last, entries);
    }
}
