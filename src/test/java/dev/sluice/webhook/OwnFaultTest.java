package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.bus.Topic;
import dev.sluice.log.LogLines;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.observe.DecisionLog;
import dev.sluice.tls.TlsEngine;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A fault of the gateway itself does not stop the pod, and does not go unseen. */
class OwnFaultTest {

    @Test
    void letsThePodPassAndTellsOnceWithTheStack() throws Exception {
        IllegalStateException fault = new IllegalStateException("on purpose");
        assertFault(fault, () -> {
            throw fault;
        });
    }

    @Test
    void alsoWhereTheStackOverflows() throws Exception {
        StackOverflowError fault = new StackOverflowError("on purpose");
        assertFault(fault, () -> {
            throw fault;
        });
    }

    private static void assertFault(Throwable fault, Runnable failing) throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger(DecisionLog.class);
        LogLines lines = new LogLines();
        log.addAppender(lines);
        GatewayAdmissions.ReviewDecider decision = (_, _, _) -> {
            failing.run();
            throw new AssertionError("it did not fail");
        };
        BlockingQueue<ReviewRecord> records = new LinkedBlockingQueue<>();
        try (TestGateway gateway = TestGateway.start(TlsEngine.OPENSSL, vertx -> {
            Topic.DECISIONS.subscribe(vertx, batch -> records.addAll(batch.records()));
            return decision;
        })) {
            gateway.review(Requests.REVIEW).isLeftAlone(Requests.UID, "Sluice failed on this pod");

            assertThat(records.poll(10, TimeUnit.SECONDS)).isInstanceOfSatisfying(DecisionRecord.class, record -> {
                assertThat(record.reason()).isEqualTo(Reason.INTERNAL_FAULT);
                assertThat(record.pod().head().uid()).isEqualTo(Requests.UID);
            });
            assertThat(gateway.told.faults).containsExactly(fault);
            assertThat(lines.list).singleElement().satisfies(line -> {
                assertThat(line.getLevel().toString()).isEqualTo("ERROR");
                assertThat(line.getThrowableProxy().getMessage()).isEqualTo("on purpose");
                assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                        .isNotEmpty();
                assertThat(line.getKeyValuePairs()).anyMatch(pair -> pair.value.equals(Requests.UID));
            });
            assertThat(gateway.review(Requests.REVIEW).status()).isEqualTo(200);
        } finally {
            log.detachAppender(lines);
        }
    }
}
