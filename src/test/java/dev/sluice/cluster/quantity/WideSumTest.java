package dev.sluice.cluster.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WideSumTest {

    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final long[] EDGES = {
        0, 1, -1, 1L << 32, (1L << 32) - 1, -(1L << 32), Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1
    };

    @Test
    void isExactOrTheNearestLongWhateverIsAddedAndSubtracted() {
        Random random = new Random(1);
        WideSum sum = new WideSum();
        BigInteger exact = BigInteger.ZERO;
        List<Long> added = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (added.isEmpty() || random.nextInt(100) < 52) {
                long number = random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextLong();
                added.add(number);
                sum.add(number);
                exact = exact.add(BigInteger.valueOf(number));
            } else {
                long number = added.remove(random.nextInt(added.size()));
                sum.subtract(number);
                exact = exact.subtract(BigInteger.valueOf(number));
            }
            assertThat(sum.value()).isEqualTo(exact.min(MOST).max(LEAST).longValue());
        }
        added.forEach(sum::subtract);
        assertThat(sum.value()).isZero();
    }
}
