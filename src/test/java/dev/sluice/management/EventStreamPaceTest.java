package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventStreamPaceTest {

    private static long admitted(EventStreamPace pace, int made) {
        return IntStream.range(0, made).filter(_ -> pace.admitsNext()).count();
    }

    @Test
    void aBurstIsSentInWholeAndAfterItSomeDecisionsEachSecond() {
        EventStreamPace pace = new EventStreamPace(OptionalInt.of(20));

        assertThat(admitted(pace, 300)).isEqualTo(200);
        assertThat(pace.takeLeftOut()).isEqualTo(100);
        pace.nextSecond();
        assertThat(admitted(pace, 300)).isEqualTo(20);
        assertThat(pace.takeLeftOut()).isEqualTo(280);
        assertThat(pace.takeLeftOut()).isZero();
    }

    @Test
    void quietSecondsAreSavedUpToALimit() {
        EventStreamPace pace = new EventStreamPace(OptionalInt.of(1));
        assertThat(admitted(pace, 10)).isEqualTo(10);

        IntStream.range(0, 100).forEach(_ -> pace.nextSecond());

        assertThat(admitted(pace, 100)).isEqualTo(EventStreamPace.SAVED_SECONDS);
    }

    @Test
    void whatWasMissedIsAllowedBesideAndNotTakenBackByTheNextSecond() {
        EventStreamPace pace = new EventStreamPace(OptionalInt.of(1));
        pace.allow(500);
        pace.nextSecond();

        assertThat(admitted(pace, 1_000)).isEqualTo(510);
    }

    @Test
    void withoutAPaceNothingIsLeftOut() {
        EventStreamPace pace = new EventStreamPace(OptionalInt.empty());
        pace.allow(1_000);
        pace.nextSecond();

        assertThat(admitted(pace, 100_000)).isEqualTo(100_000);
    }
}
