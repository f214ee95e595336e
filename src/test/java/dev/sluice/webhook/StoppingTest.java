package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.Arrays;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** Before the cluster is known, and while the gateway goes away. */
class StoppingTest {

    private static final byte[] REVIEW = Requests.post(Requests.REVIEW);

    @Test
    void decidesNothingBeforeTheFirstList() throws Exception {
        try (TestGateway gateway = TestGateway.unsynced()) {
            Reply reply = gateway.ask(REVIEW).isRefused(503, "the cluster has not been listed yet");
            assertThat(reply.header("retry-after")).isEqualTo("1");
            assertThat(gateway.ask(Requests.head("GET /healthz")).status()).isEqualTo(200);

            gateway.sync();

            gateway.stillServes();
        }
    }

    @Test
    void sendsNewReviewsElsewhereOnceAStopIsAnnounced() throws Exception {
        try (TestGateway gateway = TestGateway.start();
                RawClient idle = gateway.connect()) {
            assertThat(idle.send(REVIEW).read().status()).isEqualTo(200);

            gateway.announceStop();

            for (Reply reply : new Reply[] {idle.send(REVIEW).read(), gateway.ask(REVIEW)}) {
                reply.isRefused(503, "this replica is stopping");
                assertThat(reply.header("retry-after")).isEqualTo("1");
                assertThat(reply.header("connection")).isEqualTo("close");
            }
            assertThat(idle.isClosed()).isTrue();
        }
    }

    @Test
    void servesOnWithoutKeepingConnectionsWhileItLeaves() throws Exception {
        try (TestGateway gateway = TestGateway.start();
                RawClient kept = gateway.connect()) {
            assertThat(kept.send(REVIEW).read().header("connection")).isEmpty();

            gateway.announceLeave();

            Reply reply = kept.send(REVIEW).read();
            assertThat(reply.patch(Requests.UID)).isNotEmpty();
            assertThat(reply.header("connection")).isEqualTo("close");
            assertThat(kept.isClosed()).isTrue();
            gateway.stillServes();
        }
    }

    @Test
    void answersAReviewThatIsUnderWayWhenTheStopBegins() throws Exception {
        try (TestGateway gateway = TestGateway.start();
                RawClient slow = gateway.connect()) {
            byte[] begin = Arrays.copyOf(REVIEW, REVIEW.length - 10);
            slow.send(begin);
            gateway.roundTrip();

            Future<Void> stopped = gateway.undeploy();
            awaitClosedPort(gateway);
            Reply reply = slow.send(Arrays.copyOfRange(REVIEW, begin.length, REVIEW.length))
                    .read();

            assertThat(reply.patch(Requests.UID)).isNotEmpty();
            assertThat(reply.header("connection")).isEqualTo("close");
            var _ = TestGateway.await(stopped);
            assertThat(slow.isClosed()).isTrue();
        }
    }

    /** Ends when nobody listens any more. */
    private static void awaitClosedPort(TestGateway gateway) throws IOException {
        for (boolean listening = true; listening; ) {
            try {
                gateway.ask(REVIEW).isRefused(503, "stopping");
            } catch (ConnectException closed) {
                listening = false;
            } catch (SSLException | SocketException | EOFException closing) {
                // Accepted, and not served any more.
            }
        }
    }

    @Test
    void stopsThoughABodyNeverEnds() throws Exception {
        try (TestGateway gateway = TestGateway.start();
                RawClient stuck = gateway.connect()) {
            stuck.send(Arrays.copyOf(REVIEW, REVIEW.length - 1));
            gateway.roundTrip();

            Future<Void> stopped = gateway.undeploy();

            stuck.read().isRefused(408, "the body arrives too slowly");
            var _ = TestGateway.await(stopped);
            assertThat(stuck.isClosed()).isTrue();
        }
    }
}
