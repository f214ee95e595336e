package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchIdleDetectorTest {

    private final WatchIdleDetector moment = new WatchIdleDetector(3);

    @Test
    void hasComeAfterAnIntervalWithFewReviews() {
        moment.answered(15);
        moment.answered(6);
        assertThat(moment.hasCome()).isFalse();
        moment.answered(15);
        moment.answered(5);
        assertThat(moment.hasCome()).isTrue();
    }

    @Test
    void hasComeAfterTheLastIntervalHoweverManyReviewsThereAre() {
        moment.answered(1_000);
        assertThat(moment.hasCome()).isFalse();
        moment.answered(1_000);
        assertThat(moment.hasCome()).isFalse();
        moment.answered(1_000);
        assertThat(moment.hasCome()).isTrue();
    }
}
