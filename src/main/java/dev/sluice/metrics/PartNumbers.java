package dev.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of one part of the gateway at one moment; or of all parts, when they have been added up.
 *
 * @param families each series of a metric by its labels; all of its measures are of one kind
 */
public record PartNumbers(Map<MetricName, Map<Labels, Measure>> families) {

    public PartNumbers {
        families = Map.copyOf(families);
    }

    /** The sum of all parts, series by series. */
    public static PartNumbers sum(Iterable<PartNumbers> parts) {
        Map<MetricName, Map<Labels, Measure>> sums = new EnumMap<>(MetricName.class);
        for (PartNumbers part : parts) {
            part.families.forEach((name, series) -> {
                Map<Labels, Measure> sum = sums.computeIfAbsent(name, _ -> new HashMap<>());
                series.forEach((labels, measure) -> {
                    var _ = sum.merge(labels, measure, Measure::plus);
                });
            });
        }
        return new PartNumbers(sums);
    }

    /** The numbers of the other metrics. */
    public PartNumbers without(Set<MetricName> names) {
        Map<MetricName, Map<Labels, Measure>> others = new HashMap<>(families);
        others.keySet().removeAll(names);
        return new PartNumbers(others);
    }
}
