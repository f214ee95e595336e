package dev.sluice.metrics;

import java.util.List;
import java.util.stream.IntStream;

/** What one series shows. Two parts that have the same series show the sum together. */
public sealed interface Measure {

    /** The sum of both, which must be of one kind. */
    Measure plus(Measure other);

    /** A count or a level. */
    record SingleNumber(double value) implements Measure {

        @Override
        public Measure plus(Measure other) {
            return switch (other) {
                case SingleNumber(double more) -> new SingleNumber(value + more);
                case Distribution _ -> throw new IllegalArgumentException("a number is added to a distribution");
            };
        }
    }

    /**
     * How many observations fell into each bucket.
     *
     * @param upperBounds of the buckets, rising, infinity at the end
     * @param counts one for each bucket, without those of the buckets below
     * @param sum of all observations
     */
    record Distribution(List<Double> upperBounds, List<Long> counts, double sum) implements Measure {

        public Distribution {
            upperBounds = List.copyOf(upperBounds);
            counts = List.copyOf(counts);
        }

        /** How many observations there were. */
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public Measure plus(Measure other) {
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
