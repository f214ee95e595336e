package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.admission.Move;
import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.cluster.ResourceName;
import dev.sluice.codec.AdmissionReview;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DecisionLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.sluice.decisions");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private ILoggingEvent logged(Verdict verdict) {
        new DecisionLog()
                .decided(
                        new AdmissionReview(
                                "u",
                                "/v1/Pod",
                                "CREATE",
                                "",
                                "default",
                                "",
                                AdmissionReview.DryRun.NO,
                                new AdmissionReview.PodObject.Absent()),
                        verdict,
                        1_000);
        return lines.list.getFirst();
    }

    @Test
    void namesNoChangeWhereNothingWasExchanged() {
        ILoggingEvent line =
                logged(new Verdict.Allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of(), List.of(), List.of()));

        assertThat(line.getKeyValuePairs()).noneMatch(pair -> pair.key.equals("change"));
        assertThat(line.getFormattedMessage()).isEqualTo("pod default/(unnamed) unchanged");
    }

    @Test
    void namesTheChange() {
        List<Move> moves = List.of(new Move(ResourceName.NVIDIA_GPU, ResourceName.NVIDIA_GPU));
        ILoggingEvent line =
                logged(new Verdict.Allowed(Verdict.Outcome.CHANGED, Reason.NOT_OFFERED, moves, List.of(), List.of()));

        assertThat(line.getKeyValuePairs()).anyMatch(pair -> pair.toString().equals("change=\"gpu->gpu\""));
    }
}
