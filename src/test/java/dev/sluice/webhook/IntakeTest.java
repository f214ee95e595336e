package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.intake.ClientAbuseCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections, heads and bodies that take their time or too much of something. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IntakeTest {

    private static final String JSON = "Content-Type: application/json";

    private final TestGateway gateway;

    IntakeTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    /** Whatever came before, nothing is held for it, and the next one is served. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        gateway.stillServes();
        gateway.roundTrip();
        assertThat(gateway.intake.budget().heldBytes()).isZero();
    }

    @Test
    void refusesABodyThatCrawls() throws Exception {
        try (RawClient client = gateway.connect()) {
            long begin = System.nanoTime();
            client.send(Requests.head("POST /mutate?timeout=30s", JSON, "Content-Length: 5000"))
                    .send("{");

            client.read().isRefused(408, "the body arrives too slowly");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void refusesABodyBeforeItsCallerStopsWaiting() throws Exception {
        try (RawClient client = gateway.connect()) {
            long begin = System.nanoTime();
            client.send(Requests.head("POST /mutate?timeout=1s", JSON, "Content-Length: 100000"))
                    .send(" ".repeat(90_000));

            client.read().isRefused(408, "before the caller stops waiting");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(700), Duration.ofSeconds(1));
        }
    }

    @Test
    void givesBackWhatABodyHeldWhenItsClientVanishes() throws Exception {
        for (int sent : new int[] {1, 5_000, 300_000}) {
            try (RawClient client = gateway.connect()) {
                client.send(Requests.head("POST /mutate", JSON, "Content-Length: 400000"))
                        .send(" ".repeat(sent));
                gateway.roundTrip();
                client.vanish();
            }
        }
        gateway.roundTrip();
    }

    @Test
    void theOldestSmallBodyGivesWayToANewOne() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            // Each holds 1.2 MiB, and there are 16 MiB for all of them.
            for (int i = 0; i < 16; i++) {
                RawClient client = gateway.connect();
                clients.add(client);
                client.send(Requests.head("POST /mutate", JSON, "Content-Length: 250000"))
                        .send(" ".repeat(249_000));
                gateway.stillServes();
            }
            clients.getFirst().read().isRefused(503, "too many large requests at once");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        gateway.roundTrip();
    }

    @Test
    void endsAConnectionWhoseHeadDoesNotEnd() throws Exception {
        try (RawClient fresh = gateway.connect();
                RawClient kept = gateway.connect()) {
            assertThat(kept.send(Requests.post(Requests.REVIEW)).read().status())
                    .isEqualTo(200);
            fresh.send("P");
            kept.send("P");

            assertThat(fresh.isClosed()).isTrue();
            assertThat(kept.isClosed()).isTrue();
            assertThat(gateway.causes.count(ClientAbuseCause.SLOW_HEAD)).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void keepsAnIdleConnection() throws Exception {
        try (RawClient kept = gateway.connect();
                RawClient slow = gateway.connect()) {
            assertThat(kept.send(Requests.post(Requests.REVIEW)).read().status())
                    .isEqualTo(200);
            // So long another one takes to be ended for its head.
            slow.send("P");
            assertThat(slow.isClosed()).isTrue();

            assertThat(kept.send(Requests.post(Requests.REVIEW)).read().status())
                    .isEqualTo(200);
        }
    }

    @Test
    void refusesMoreHeadersThanAnybodySends() throws Exception {
        String[] headers = "X: a ".repeat(100).strip().split(" (?=X)");

        gateway.ask(Requests.head("GET /healthz", headers)).isRefused(431, "more than 64 headers");
    }

    @Test
    void readsNoMoreFromAClientThatDoesNotRead() throws Exception {
        byte[] requests = Requests.head("GET /healthz").repeat(200_000).getBytes(UTF_8);
        try (RawClient client = gateway.connect()) {
            Thread sender = client.offer(requests);

            assertThat(sender.join(Duration.ofSeconds(10))).isTrue();
            assertThat(client.isOpen()).isFalse();
            assertThat(gateway.causes.count(ClientAbuseCause.UNREAD_ANSWER)
                            + gateway.causes.count(ClientAbuseCause.TOO_MANY_PIPELINED))
                    .isPositive();
        }
    }

    @Test
    void admitsNewConnectionsHoweverManyDoNothing() throws Exception {
        List<RawClient> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 1_100; i++) {
                idle.add(gateway.connect());
            }
            gateway.stillServes();
            assertThat(gateway.intake.connections().count()).isLessThanOrEqualTo(1_024);
            assertThat(idle.getFirst().isClosed()).isTrue();
        } finally {
            for (RawClient client : idle) {
                client.close();
            }
            // A turn of the loop serves hundreds of these connections. That takes long, but no piece of it does.
            gateway.roundTrip();
            var _ = gateway.loop.longest();
        }
    }

    @Test
    void smallReviewsDoNotWaitForLargeOnes() throws Exception {
        String large = Requests.review(
                "large",
                Requests.POD.replace(
                        "{\"metadata\":{",
                        "{\"metadata\":{\"managedFields\":[\"" + "\\u0061".repeat(1_000_000) + "\"],"));
        try (RawClient client = gateway.connect()) {
            client.send(Requests.post(large));
            long begin = System.nanoTime();
            gateway.stillServes();
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(2_000);
            assertThat(client.read().patch("large")).isNotEmpty();
        }
    }
}
