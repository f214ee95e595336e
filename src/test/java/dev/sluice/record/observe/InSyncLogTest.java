package dev.sluice.record.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.log.LogLines;
import dev.sluice.replication.Member;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InSyncLogTest {

    private static final Member SELF = new Member("pod-a_1", "10.0.0.1:8444");
    private static final Member OTHER = new Member("pod-b_2", "10.0.0.2:8444");

    private final Logger log = (Logger) LoggerFactory.getLogger(InSyncLog.class);
    private final LogLines lines = new LogLines();
    private final InSyncLog inSync = new InSyncLog();

    @BeforeEach
    void listen() {
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
    }

    private void update(Member holder, Member... members) {
        inSync.update(new ReplicationStatusMessage(
                SELF, Optional.of(holder), 1, List.of(members), Map.of(), 0, 0, Duration.ZERO, 0, ""));
    }

    private List<String> told() {
        return lines.list.stream()
                .map(line -> line.getMessage() + " " + line.getKeyValuePairs().getFirst().value)
                .toList();
    }

    @Test
    void theHolderTellsOnceOfEachReplicaThatJoinsOrLeaves() {
        update(SELF, SELF);
        update(SELF, SELF, OTHER);
        update(SELF, SELF, OTHER);
        update(SELF, SELF);

        assertThat(told())
                .containsExactly("a replica is in sync now pod-b_2", "a replica is no longer in sync pod-b_2");
    }

    @Test
    void whoTakesOverTellsThatTheFormerHolderIsNotInSync() {
        update(OTHER, SELF, OTHER);
        assertThat(told()).isEmpty();

        update(SELF, SELF);
        assertThat(told()).containsExactly("a replica is no longer in sync pod-b_2");
    }
}
