package dev.sluice.api;

import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.api.HistoryDocument.ResourceHistory;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Keeps in memory how many devices of the cluster were used in the last hours. It is not thread-safe. */
public final class CapacityHistoryDocuments {

    /** The time between two samples. In the first minute of a gateway, samples are taken more often. */
    public static final Duration STEP = Duration.ofMinutes(1);

    /** The maximum number of samples that are kept. They cover 8 hours. */
    static final int MOST_SAMPLES = 480;

    /**
     * The maximum number of resources in a sample. {@link #MOST_SAMPLES} samples with this number of resources take 5
     * MiB. A usual cluster has ten resources.
     */
    static final int MOST_RESOURCES = 64;

    /**
     * The amounts of one device resource in a sample. The rank decides which resources are kept if there are too many.
     */
    record SampledDevice(Sum sum, DocumentDeviceRank rank) {}

    /**
     * The amounts of each device resource at one time. If there are too many resources, those with the best
     * {@link DocumentDeviceRank} are kept.
     */
    public record CapacitySample(Instant time, boolean podsKnown, Map<ResourceName, SampledDevice> devices) {

        public static CapacitySample of(CapacityReport report, Instant now) {
            Map<ResourceName, DocumentDeviceRank> ranks = DocumentDeviceRank.of(
                    report.nodes().stream().map(CapacitySample::devicesOf).toList());
            Map<ResourceName, SampledDevice> devices = new TreeMap<>();
            report.cluster().stream()
                    .filter(sum -> sum.resource().isExtended())
                    .map(sum -> new SampledDevice(sum, Objects.requireNonNull(ranks.get(sum.resource()))))
                    .sorted(Comparator.comparing(SampledDevice::rank, DocumentDeviceRank.FIRST))
                    .limit(MOST_RESOURCES)
                    .forEach(device -> devices.put(device.sum.resource(), device));
            return new CapacitySample(now, report.podsKnown(), devices);
        }

        /** Returns the device resources of a node. Those that are allocated to pods come first. */
        private static List<ResourceName> devicesOf(NodeAmounts node) {
            return node.amounts().stream()
                    .filter(amount -> amount.resource().isExtended())
                    .sorted(Comparator.comparing((Amount amount) -> amount.allocated() == 0))
                    .map(Amount::resource)
                    .toList();
        }
    }

    /**
     * The rank of a device resource in several samples. A resource with a better rank in any sample comes first. If the
     * best ranks are equal, the resource that is in more samples comes first.
     */
    private record OverallRank(DocumentDeviceRank best, int samples) {

        private static final Comparator<OverallRank> FIRST = Comparator.comparing(
                        OverallRank::best, DocumentDeviceRank.FIRST)
                .thenComparing(Comparator.comparingInt(OverallRank::samples).reversed());

        private OverallRank plus(OverallRank other) {
            return new OverallRank(
                    DocumentDeviceRank.FIRST.compare(best, other.best) <= 0 ? best : other.best,
                    samples + other.samples);
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
        Map<ResourceName, OverallRank> ranks = new TreeMap<>(CapacityReport.DEVICES_FIRST);
        for (CapacitySample sample : shown) {
            sample.devices.forEach(
                    (resource, device) -> ranks.merge(resource, new OverallRank(device.rank, 1), OverallRank::plus));
        }
        return new HistoryDocument(
                STEP.toSeconds(),
                shown.stream().map(sample -> sample.time.getEpochSecond()).toList(),
                ranks.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(OverallRank.FIRST))
                        .limit(MOST_RESOURCES)
                        .map(Map.Entry::getKey)
                        .sorted(CapacityReport.DEVICES_FIRST)
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

    /** @param ofPods true if the amount depends on the pods; the amount is then null while the pods are not known */
    private static List<@Nullable Long> column(
            ResourceName resource, List<CapacitySample> shown, boolean ofPods, ToLongFunction<Sum> amount) {
        List<@Nullable Long> column = new ArrayList<>(shown.size());
        for (CapacitySample sample : shown) {
            @Nullable SampledDevice device = sample.devices.get(resource);
            column.add(device == null || (ofPods && !sample.podsKnown) ? null : amount.applyAsLong(device.sum));
        }
        return Collections.unmodifiableList(column);
    }
}
