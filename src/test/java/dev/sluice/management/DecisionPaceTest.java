package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecisionPaceTest {

    private static long admitted(DecisionPace pace, int made) {
        return IntStream.range(0, made).filter(_ -> pace.admitsNext()).count();
    }

    @Test
    void aBurstIsSentInWholeAndAfterItSomeDecisionsEachSecond() {
        DecisionPace pace = new DecisionPace(OptionalInt.of(20));

        assertThat(admitted(pace, 300)).isEqualTo(200);
        assertThat(pace.takeLeftOut()).isEqualTo(100);
        pace.nextSecond();
        assertThat(admitted(pace, 300)).isEqualTo(20);
        assertThat(pace.takeLeftOut()).isEqualTo(280);
        assertThat(pace.takeLeftOut()).isZero();
    }

    @Test
    void quietSecondsAreSavedUpToALimit() {
        DecisionPace pace = new DecisionPace(OptionalInt.of(1));
        assertThat(admitted(pace, 10)).isEqualTo(10);

        IntStream.range(0, 100).forEach(_ -> pace.nextSecond());

        assertThat(admitted(pace, 100)).isEqualTo(DecisionPace.SAVED_SECONDS);
    }

    @Test
    void whatWasMissedIsAllowedBesideAndNotTakenBackByTheNextSecond() {
        DecisionPace pace = new DecisionPace(OptionalInt.of(1));
        pace.allow(500);
        pace.nextSecond();

        assertThat(admitted(pace, 1_000)).isEqualTo(510);
    }

    @Test
    void withoutAPaceNothingIsLeftOut() {
        DecisionPace pace = new DecisionPace(OptionalInt.empty());
        pace.allow(1_000);
        pace.nextSecond();

        assertThat(admitted(pace, 100_000)).isEqualTo(100_000);
    }
}
