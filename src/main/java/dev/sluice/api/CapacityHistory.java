package dev.sluice.api;

import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.api.HistoryDocument.ResourceHistory;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Keeps in memory how many devices of the cluster were used in the last hours. It is not thread-safe. */
public final class CapacityHistory {

    /** The time between two samples. It is shorter in the first minute of a gateway. */
    public static final Duration STEP = Duration.ofMinutes(1);

    /** The maximum number of samples that are kept. They cover 8 hours. */
    static final int MOST_SAMPLES = 480;

    /**
     * The maximum number of resources in a sample. The maximum number of samples with the maximum number of resources
     * takes 3 MiB. A usual cluster has ten resources.
     */
    static final int MOST_RESOURCES = 64;

    /** The amounts of the devices at one time. */
    public record CapacitySample(Instant time, boolean podsKnown, Map<ResourceName, Sum> devices) {

        public static CapacitySample of(CapacityReport report, Instant now) {
            Map<ResourceName, Sum> devices = new TreeMap<>();
            report.cluster().stream()
                    .filter(sum -> sum.resource().isExtended())
                    .limit(MOST_RESOURCES)
                    .forEach(sum -> devices.put(sum.resource(), sum));
            return new CapacitySample(now, report.podsKnown(), devices);
        }
    }

    private final Deque<CapacitySample> samples = new ArrayDeque<>();

    /** Adds a sample, and drops the oldest one if there are too many. */
    public void add(CapacitySample sample) {
        samples.addLast(sample);
        if (samples.size() > MOST_SAMPLES) {
            var _ = samples.removeFirst();
        }
    }

    /** Returns the samples, the oldest first. */
    public List<CapacitySample> samples() {
        return List.copyOf(samples);
    }

    /** Returns the document of these samples, the oldest first. */
    public static HistoryDocument document(List<CapacitySample> shown) {
        SortedSet<ResourceName> resources = new TreeSet<>(CapacityReport.DEVICES_FIRST);
        shown.forEach(sample -> resources.addAll(sample.devices.keySet()));
        return new HistoryDocument(
                STEP.toSeconds(),
                shown.stream().map(sample -> sample.time.getEpochSecond()).toList(),
                resources.stream()
                        .limit(MOST_RESOURCES)
                        .map(resource -> history(resource, shown))
                        .toList());
    }

    private static ResourceHistory history(ResourceName resource, List<CapacitySample> shown) {
        return new ResourceHistory(
                resource,
                column(resource, shown, /* ofPods= */ false, sum -> sum.total().allocatable()),
                column(resource, shown, /* ofPods= */ true, sum -> sum.total().allocated()),
                column(resource, shown, /* ofPods= */ true, sum -> sum.total().reserved()),
                column(resource, shown, /* ofPods= */ true, Sum::available),
                column(resource, shown, /* ofPods= */ true, Sum::largestAvailable));
    }

    /** @param ofPods true if the amount is computed from the pods, so that it is unknown until all pods are known */
    private static List<@Nullable Long> column(
            ResourceName resource, List<CapacitySample> shown, boolean ofPods, ToLongFunction<Sum> amount) {
        List<@Nullable Long> column = new ArrayList<>(shown.size());
        for (CapacitySample sample : shown) {
            @Nullable Sum sum = sample.devices.get(resource);
            column.add(sum == null || (ofPods && !sample.podsKnown) ? null : amount.applyAsLong(sum));
        }
        return Collections.unmodifiableList(column);
    }
}
