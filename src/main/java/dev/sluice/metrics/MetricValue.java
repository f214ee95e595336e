package dev.sluice.metrics;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The value of one time series. If two parts of the gateway have the same series, a scrape shows the sum of their
 * values.
 */
public sealed interface MetricValue {

    /** Returns the sum of this value and the other value, which must have the same type. */
    MetricValue plus(MetricValue other);

    /** The value of a counter or a gauge. */
    record SingleNumber(double value) implements MetricValue {

        @Override
        public MetricValue plus(MetricValue other) {
            return switch (other) {
                case SingleNumber(double more) -> new SingleNumber(value + more);
                case Distribution _ -> throw new IllegalArgumentException("a number is added to a distribution");
            };
        }
    }

    /**
     * The value of a histogram or a summary.
     *
     * @param upperBounds the upper bounds of the buckets in ascending order, with infinity at the end
     * @param counts the number of observations in each bucket, without the observations in lower buckets
     * @param sum the sum of all observations
     */
    record Distribution(List<Double> upperBounds, List<Long> counts, double sum) implements MetricValue {

        public Distribution {
            upperBounds = List.copyOf(upperBounds);
            counts = List.copyOf(counts);
        }

        /** Returns the number of observations. */
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public MetricValue plus(MetricValue other) {
            return switch (other) {
                case Distribution more -> new Distribution(upperBounds, added(more.counts), sum + more.sum);
                case SingleNumber _ -> throw new IllegalArgumentException("a distribution is added to a number");
            };
        }

        private List<Long> added(List<Long> more) {
            return IntStream.range(0, counts.size())
                    .mapToObj(bucket -> counts.get(bucket) + more.get(bucket))
                    .toList();
        }
    }
}
