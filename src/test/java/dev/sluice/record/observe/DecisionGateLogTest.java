package dev.sluice.record.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.log.LogLines;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DecisionGateLogTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(DecisionGateLog.class);
    private final LogLines lines = new LogLines();
    private final DecisionGateLog gateLog = new DecisionGateLog();

    @BeforeEach
    void listen() {
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
    }

    private List<String> told(String... causes) {
        for (String cause : causes) {
            gateLog.update(new DecisionGateMessage(cause));
        }
        return lines.list.stream().map(ILoggingEvent::getMessage).toList();
    }

    @Test
    void tellsWhenDecisionsBeginAndEnd() {
        assertThat(told("the pods have not been listed yet", "", "", "the lease ran out"))
                .containsExactly(
                        "this gateway does not decide now",
                        "this gateway decides now",
                        "this gateway does not decide now");
        assertThat(lines.list.getLast().getKeyValuePairs()).singleElement().hasToString("why=\"the lease ran out\"");
    }

    @Test
    void tellsOnceThatAnotherReplicaDecides() {
        gateLog.update(DecisionGateMessage.ELSEWHERE);
        gateLog.update(DecisionGateMessage.ELSEWHERE);
        assertThat(told(""))
                .containsExactly(
                        "this gateway forwards reviews to the replica that decides", "this gateway decides now");
    }

    @Test
    void anAgeThatGrowsIsToldOnce() {
        assertThat(told("what is known of the pods is 21 s old, and", "what is known of the pods is 22 s old, and"))
                .hasSize(1);
    }
}
