package dev.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    @Test
    void allowsAFewAtOnceAndThenTheRate() {
        TokenBucket bucket = new TokenBucket(10, 2, NOW);

        assertThat(bucket.take(NOW)).isZero();
        assertThat(bucket.take(NOW)).isZero();
        assertThat(bucket.take(NOW)).isEqualTo(Duration.ofMillis(100));
        assertThat(bucket.take(NOW)).isEqualTo(Duration.ofMillis(200));
        assertThat(bucket.take(NOW.plusSeconds(10))).isZero();
    }

    @Test
    void saysNoInsteadWhereNobodyWaits() {
        TokenBucket bucket = new TokenBucket(10, 1, NOW);

        assertThat(bucket.takeIfAny(NOW)).isTrue();
        assertThat(bucket.takeIfAny(NOW)).isFalse();
        assertThat(bucket.takeIfAny(NOW.plusMillis(100))).isTrue();
    }
}
