package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.api.ApiAnswer;
import dev.sluice.management.FleetApi.KeptSets;
import dev.sluice.management.FleetApi.TooManySets;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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
        assertThat(FleetApi.refusal(new TooManySets()).status()).isEqualTo(503);
        assertThat(FleetApi.refusal(new TooManySets()).json())
                .contains("other pages show other labels; ask again later");
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

    @Test
    void anUnknownFailureIsLoggedAndIsNotToldAsALateAnswer() {
        Logger logger = (Logger) LoggerFactory.getLogger(FleetApi.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            assertThat(FleetApi.refusal(new ReplyException(ReplyFailure.TIMEOUT))
                            .json())
                    .contains("the owner of the ledger has not answered in time");
            assertThat(lines.list).isEmpty();

            ApiAnswer answer = FleetApi.refusal(new IllegalStateException("broken"));
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.json()).contains("the gateway's log says why").doesNotContain("broken");
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("broken"));
        } finally {
            logger.detachAppender(lines);
        }
    }
}
