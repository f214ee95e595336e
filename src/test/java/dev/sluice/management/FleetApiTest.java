package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.management.FleetApi.KeptSets;
import dev.sluice.management.FleetApi.TooManySets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetApiTest {

    private final KeptSets<String> sets = new KeptSets<>();
    private Instant now = Instant.EPOCH;
    private int created;

    private String ask(String... labels) throws TooManySets {
        return sets.get(List.of(labels), now, () -> "set " + created++);
    }

    @Test
    void setsOfLabelsThatPagesShowDoNotDropEachOther() throws Exception {
        assertThat(List.of(ask("a"), ask("b"), ask("c"))).containsExactly("set 0", "set 1", "set 2");

        assertThatExceptionOfType(TooManySets.class).isThrownBy(() -> ask("d"));
        assertThat(List.of(ask("a"), ask("b"), ask("c"))).containsExactly("set 0", "set 1", "set 2");
    }

    @Test
    void aSetThatNobodyShowsAnyMoreMakesRoomAndTheOneWithoutLabelsIsKept() throws Exception {
        String plain = ask();
        String a = ask("a");
        assertThat(List.of(ask("b"), ask("c"))).containsExactly("set 2", "set 3");
        now = now.plus(FleetApi.KEPT);
        assertThat(ask("a")).isEqualTo(a);
        assertThatExceptionOfType(TooManySets.class).isThrownBy(() -> ask("d"));
        now = now.plusMillis(1);

        assertThat(ask("d")).isEqualTo("set 4");
        assertThat(ask("a")).isEqualTo(a);
        assertThat(ask()).isEqualTo(plain);
        assertThat(ask("b")).isEqualTo("set 5");
    }
}
