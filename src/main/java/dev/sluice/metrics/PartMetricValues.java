package dev.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The metric values of one part of the gateway at one point in time, or the sums over all parts.
 *
 * @param families for each metric, the values of its series by their labels; all values of a metric are of the same
 *     type
 */
public record PartMetricValues(Map<MetricName, Map<Labels, MetricValue>> families) {

    public PartMetricValues {
        families = Map.copyOf(families);
    }

    /** Returns the values of all parts together. If several parts have the same series, its values are added. */
    public static PartMetricValues sum(Iterable<PartMetricValues> parts) {
        Map<MetricName, Map<Labels, MetricValue>> sums = new EnumMap<>(MetricName.class);
        for (PartMetricValues part : parts) {
            part.families.forEach((name, series) -> {
                Map<Labels, MetricValue> sum = sums.computeIfAbsent(name, _ -> new HashMap<>());
                series.forEach((labels, measure) -> {
                    var _ = sum.merge(labels, measure, MetricValue::plus);
                });
            });
        }
        return new PartMetricValues(sums);
    }

    /** Returns a copy without the values of these metrics. */
    public PartMetricValues without(Set<MetricName> names) {
        Map<MetricName, Map<Labels, MetricValue>> others = new HashMap<>(families);
        others.keySet().removeAll(names);
        return new PartMetricValues(others);
    }
}
