package dev.sluice.record;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.record.TalliedDecisions.SummaryRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts the decisions of the last {@link #KEPT} by namespace, chain and outcome. There is a count for each hour of
 * today and yesterday (UTC), and one for each day before. The number of counts is limited, whatever names of namespaces
 * and resources users choose. It is not thread-safe.
 */
public final class DecisionTally {

    /** The time for which decisions are counted. */
    public static final Duration KEPT = Duration.ofDays(7);

    /**
     * The maximum number of rows, apart from the rows of {@link TalliedChain#OTHER}. A row is for one
     * {@link TalliedChain}, and has at most 55 counts, one for each hour or day. A count takes about 20 bytes, so all
     * counts take about 300 KiB in the ConfigMap. A ConfigMap may have 1 MiB.
     */
    static final int MOST_ROWS = 256;

    /**
     * The maximum number of chains that are counted for one namespace and one enforcement. Otherwise, somebody who may
     * create pods in one namespace could use up all rows.
     */
    static final int MOST_CHAINS = 8;

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    /** The counts of each hour or day, by the time at which it begins. */
    private final SortedMap<Instant, Map<TalliedChain, Map<TalliedOutcome, Long>>> buckets = new TreeMap<>();

    /** The counts of the hour of the newest decision. */
    private Map<TalliedChain, Map<TalliedOutcome, Long>> newest = Map.of();

    /** The hour of the newest decision, counted in hours since the Unix epoch. */
    private long newestHour = Long.MIN_VALUE;

    /** All rows except those of {@link TalliedChain#OTHER}. */
    private final Set<TalliedChain> rows = new HashSet<>();

    /**
     * The number of {@link #rows} for each namespace and enforcement. The key is the row in which all further chains of
     * the namespace are counted together.
     */
    private final Map<TalliedChain, Integer> rowsOfNamespaces = new HashMap<>();

    /** The counts of one row in an hour or a day. */
    public record BucketCount(Instant start, TalliedChain counted, Map<TalliedOutcome, Long> counts) {
        public BucketCount {
            counts = Map.copyOf(counts);
        }
    }

    public boolean isEmpty() {
        return buckets.isEmpty();
    }

    /** Counts a decision. Dry runs are not counted, because they create no pod. */
    public void add(DecisionRecord decision) {
        if (decision.pod().head().dryRun()) {
            return;
        }
        TalliedChain counted = TalliedChain.of(decision);
        long hour = Math.floorDiv(decision.epochMillis(), HOUR_MILLIS);
        if (hour != newestHour) {
            newest = buckets.computeIfAbsent(Instant.ofEpochMilli(hour * HOUR_MILLIS), _ -> new HashMap<>());
            newestHour = hour;
        }
        // This code runs for each review, so the usual case is a single lookup in a map.
        Map<TalliedOutcome, Long> known = newest.get(counted);
        Map<TalliedOutcome, Long> counts =
                known == null ? counts(Instant.ofEpochMilli(hour * HOUR_MILLIS), counted) : known;
        counts.merge(TalliedOutcome.of(decision), 1L, Amounts::saturatedSum);
    }

    public void add(BucketCount more) {
        addTo(counts(more.start(), more.counted()), more.counts());
    }

    public void add(DecisionTally more) {
        more.all().forEach(this::add);
    }

    private static void addTo(Map<TalliedOutcome, Long> sum, Map<TalliedOutcome, Long> more) {
        more.forEach((outcome, count) -> sum.merge(outcome, count, Amounts::saturatedSum));
    }

    private Map<TalliedOutcome, Long> counts(Instant start, TalliedChain counted) {
        return buckets.computeIfAbsent(start, _ -> new HashMap<>())
                .computeIfAbsent(row(counted), _ -> new EnumMap<>(TalliedOutcome.class));
    }

    /**
     * Returns the row in which decisions of {@code counted} are counted. It is a row of their own, or a row of
     * {@link TalliedChain#OTHER} if there are too many rows. This method may run for each review, so it does not
     * iterate over the rows.
     */
    private TalliedChain row(TalliedChain counted) {
        if (rows.contains(counted) || counted.chain().equals(TalliedChain.OTHER)) {
            return counted;
        }
        TalliedChain otherChains = counted.asOtherChain();
        int ofNamespace = rowsOfNamespaces.getOrDefault(otherChains, 0);
        if (ofNamespace >= MOST_CHAINS) {
            return otherChains;
        }
        if (rows.size() >= MOST_ROWS) {
            return counted.asOtherNamespace();
        }
        rows.add(counted);
        rowsOfNamespaces.put(otherChains, ofNamespace + 1);
        return counted;
    }

    /** Returns all counts, the oldest first. */
    public List<BucketCount> all() {
        List<BucketCount> all = new ArrayList<>();
        buckets.forEach((start, bucket) ->
                new TreeMap<>(bucket).forEach((row, counts) -> all.add(new BucketCount(start, row, counts))));
        return all;
    }

    /**
     * Drops the days that are too old. For each day before yesterday, combines the counts of its hours into one count.
     */
    public void passTime(Instant now) {
        List<BucketCount> all = all();
        buckets.clear();
        rows.clear();
        rowsOfNamespaces.clear();
        newestHour = Long.MIN_VALUE;
        for (BucketCount count : all) {
            if (!count.start().isBefore(oldest(now))) {
                add(new BucketCount(beginning(count.start(), now), count.counted(), count.counts()));
            }
        }
    }

    private static Instant oldest(Instant now) {
        return now.minus(KEPT).truncatedTo(ChronoUnit.DAYS);
    }

    /** Returns the start of the hour or day to which a decision of this time belongs. */
    private static Instant beginning(Instant time, Instant now) {
        Instant yesterday = now.minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.DAYS);
        return time.truncatedTo(time.isBefore(yesterday) ? ChronoUnit.DAYS : ChronoUnit.HOURS);
    }

    /**
     * Returns the counts of the decisions since this time. They include the whole hour or day that contains this time.
     */
    public TalliedDecisions summary(Instant since, Instant now) {
        passTime(now);
        Instant from = since.isBefore(oldest(now)) ? oldest(now) : beginning(since, now);
        SortedMap<TalliedChain, Map<TalliedOutcome, Long>> sums = new TreeMap<>();
        buckets.tailMap(from)
                .values()
                .forEach(bucket -> bucket.forEach((row, counts) ->
                        addTo(sums.computeIfAbsent(row, _ -> new EnumMap<>(TalliedOutcome.class)), counts)));
        return new TalliedDecisions(
                from,
                sums.entrySet().stream()
                        .map(sum -> new SummaryRow(sum.getKey(), sum.getValue()))
                        .toList());
    }
}
