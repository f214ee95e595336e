package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.kube.decode.ObjectMeta;
import dev.sluice.log.LogLines;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whoever may write objects decides how many cannot be read, and how often. */
class UnreadableObjectTrackerTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(UnreadableObjectTracker.class);
    private final LogLines lines = new LogLines();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final UnreadableObjectTracker unreadable = new UnreadableObjectTracker(now::get);

    @BeforeEach
    void listens() {
        log.addAppender(lines);
    }

    @AfterEach
    void stops() {
        log.detachAppender(lines);
    }

    private static ObjectMeta pod(String name) {
        return new ObjectMeta(name, "team", "", "", 0);
    }

    @Test
    void aThousandUpdatesAreOnePodAndTenLinesAMinute() {
        for (int i = 0; i < 1_000; i++) {
            unreadable.inWatch(pod("x"), "pod team/x: spec is not a map");
        }
        assertThat(lines.list).hasSize(10);
        assertThat(unreadable.summary().total()).isEqualTo(1_000);
        assertThat(unreadable.summary().current()).isEqualTo(1);

        now.set(Instant.EPOCH.plusSeconds(60));
        unreadable.inWatch(pod("x"), "pod team/x: spec is not a map");
        assertThat(lines.list).hasSize(11);
        assertThat(lines.list.getLast().getKeyValuePairs())
                .anySatisfy(pair -> assertThat(pair).hasToString("suppressed=\"990\""));
    }

    @Test
    void whatIsKeptOfThemIsBounded() {
        for (int i = 0; i < 100_000; i++) {
            unreadable.inWatch(pod("x" + i), "pod team/x: spec is not a map");
        }
        assertThat(unreadable.summary().current()).isEqualTo(4_096);
        assertThat(unreadable.summary().names()).containsExactly("team/x0", "team/x1", "team/x2", "team/x3", "team/x4");
        assertThat(unreadable.summary().total()).isEqualTo(100_000);
    }

    @Test
    void aCompleteListReplacesWhatWasKnownAndOneThatFailsDoesNot() {
        unreadable.inWatch(pod("x"), "");
        unreadable.listBegins();
        unreadable.inList(pod("y"), "");
        assertThat(unreadable.summary().names()).containsExactly("team/x");
        unreadable.listBegins();
        unreadable.inList(pod("z"), "");
        unreadable.listEnds();
        assertThat(unreadable.summary().names()).containsExactly("team/z");
    }
}
