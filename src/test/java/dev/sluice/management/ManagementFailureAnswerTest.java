package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.log.LogLines;
import dev.sluice.management.FleetApi.TooManySets;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ManagementFailureAnswerTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ManagementFailureAnswer.class);
    private final LogLines lines = new LogLines();
    private final Vertx vertx = Vertx.vertx();
    private final Readiness readiness = new Readiness(() -> Instant.EPOCH, ActivePolicy.DEFAULT, Optional.empty());

    @BeforeEach
    void listen() {
        readiness.snapshot(PlacementNodes.snapshotOf(List.of()));
        Topic.install(vertx);
        logger.addAppender(lines);
    }

    @AfterEach
    void close() {
        logger.detachAppender(lines);
        var _ = vertx.close();
    }

    @Test
    void anUnknownFailureIsLoggedAndIsNotToldAsALateAnswer() {
        assertThat(ManagementFailureAnswer.answer(new ReplyException(ReplyFailure.TIMEOUT)))
                .returns(503, DocumentResponse::status)
                .satisfies(answer -> assertThat(answer.json()).contains("has not answered in time"));
        assertThat(lines.list).isEmpty();

        DocumentResponse answer = ManagementFailureAnswer.answer(new IllegalStateException("broken"));
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json()).contains("the gateway's log says why").doesNotContain("broken");
        assertThat(lines.list)
                .singleElement()
                .satisfies(line ->
                        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("broken"));
    }

    @Test
    void whoAsksTooMuchIsToldWhenToAskAgain() {
        assertThat(ManagementFailureAnswer.answer(new ManagementSharedAnswers.TooManyQuestions()))
                .returns(429, DocumentResponse::status)
                .satisfies(answer -> assertThat(answer.retryAfterSeconds()).hasValue(1));
        assertThat(ManagementFailureAnswer.answer(new TooManySets()))
                .returns(503, DocumentResponse::status)
                .satisfies(
                        answer -> assertThat(answer.json()).contains("other pages show other labels; ask again later"))
                .satisfies(answer -> assertThat(answer.retryAfterSeconds()).hasValue(30));
    }

    @Test
    void theCapacityIsLateOnlyIfTheOwnerOfTheLedgerIs() throws Exception {
        CapacityApi capacity =
                new CapacityApi(vertx, readiness, () -> Instant.EPOCH, new ManagementLedgerCopies(vertx));

        assertThat(status(capacity.capacity())).as("nobody answers").isEqualTo(503);
        assertThat(lines.list).isEmpty();
        Service.USAGE.serveLater(vertx, _ -> Future.failedFuture("a fault"));

        assertThat(status(capacity.capacity())).as("the owner has a fault").isEqualTo(500);
        assertThat(lines.list).hasSize(1);
    }

    private static int status(Future<DocumentResponse> answer) throws Exception {
        return answer.toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS)
                .status();
    }
}
