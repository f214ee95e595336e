package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.lease.FakeLeaseServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The law of the election, under every mishap at once: never two who may decide. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneHolderTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final int STEPS = 150;

    /** A gateway, whose clock is off but runs at the speed of all others. */
    private static final class Gateway {
        private final LeaderElector elector;
        private final Duration off;
        private final AtomicReference<LeaseStateMessage> word;
        private LeaseStateMessage said = new LeaseStateMessage.Standby("");

        private Gateway(LeaderElector elector, Duration off, AtomicReference<LeaseStateMessage> word) {
            this.elector = elector;
            this.off = off;
            this.word = word;
        }

        private void says(LeaseStateMessage next) {
            said = next;
            word.set(next);
        }

        private boolean decidesAt(Instant now) {
            return said.holdsAt(now.plus(off));
        }

        private Instant worldTime(Instant own) {
            return own.equals(Instant.MIN) ? own : own.minus(off);
        }

        /** By its last word. */
        private Instant decidedUntil() {
            return said instanceof LeaseStateMessage.Leading leading ? worldTime(leading.decidesUntil()) : Instant.MIN;
        }
    }

    private final Vertx vertx = Vertx.vertx();
    private final List<KubernetesClient> clients = new ArrayList<>();

    @AfterAll
    void stopsEverything() throws Exception {
        clients.forEach(KubernetesClient::close);
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static LongStream seeds() {
        return LongStream.range(0, 12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void atMostOneDecidesAtAnyMoment(long seed) throws Exception {
        Random random = new Random(seed);
        Moving clock = new Moving(NOON);
        FakeLeaseServer server = new FakeLeaseServer(vertx);
        KubernetesClient client = server.client();
        clients.add(client);
        List<Gateway> gateways = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            gateways.add(gateway("gateway-" + i, client, clock, random));
        }
        // Networks are slow, and processes stand still, before, in the middle of, and after everything.
        server.whileUnderway(() -> clock.by(pause(random)));
        int terms = 0;
        for (int step = 0; step < STEPS; step++) {
            mishap(server, random);
            Gateway gateway = gateways.get(random.nextInt(gateways.size()));
            boolean decided = gateway.decidesAt(clock.instant());
            LeaseStateMessage before = gateway.said;
            act(gateway, random);
            if (!decided && !gateway.said.equals(before) && gateway.said instanceof LeaseStateMessage.Leading leading) {
                terms++;
                assertThat(lastMomentOfOthers(gateways, gateway))
                        .as("step %d: the last moment of any other", step)
                        .isBeforeOrEqualTo(gateway.worldTime(leading.formerMayHaveDecidedUntil()));
            }
            Instant now = clock.instant();
            assertThat(gateways.stream().filter(each -> each.decidesAt(now)))
                    .as("step %d", step)
                    .hasSizeLessThanOrEqualTo(1);
            clock.by(pause(random));
        }
        server.stop();
        assertThat(terms).as("terms").isGreaterThan(3);
    }

    private static Instant lastMomentOfOthers(List<Gateway> gateways, Gateway gateway) {
        return gateways.stream()
                .filter(other -> other != gateway)
                .map(Gateway::decidedUntil)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Gateway gateway(String name, KubernetesClient client, Moving clock, Random random) {
        Duration off = Duration.ofSeconds(random.nextLong(-100_000, 100_000));
        InstantSource own = clock.off(off);
        LeaderElectionConfig terms = new LeaderElectionConfig(
                Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));
        // Two of three are of the older revision, and hand over as often as it can be.
        AtomicReference<LeaseStateMessage> said = new AtomicReference<>(new LeaseStateMessage.Standby(""));
        LeaseCandidate.Revision revision = new LeaseCandidate.Revision(
                name.equals("gateway-2") ? "new" : "old", NOON.plusSeconds(name.hashCode()));
        Handover handover = new Handover(
                new Handover.Self(
                        name, () -> Optional.of(revision), () -> new FitnessMessage(/* able= */ true, said.get())),
                new Handover.HandoverConfig(
                        Duration.ofSeconds(1),
                        2,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(20)),
                own);
        return new Gateway(
                new LeaderElector(handover, new LeaseStore(client, Duration.ofSeconds(3)), terms, own), off, said);
    }

    /** Mostly short, sometimes longer than a lease. */
    private static Duration pause(Random random) {
        return Duration.ofMillis(random.nextInt(20) == 0 ? random.nextInt(25_000) : random.nextInt(1_500));
    }

    private static void mishap(FakeLeaseServer server, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> server.onNextWrites(Fault.ANSWER_LOST);
            case 1 -> server.onNextWrites(Fault.UNAVAILABLE);
            case 2 -> server.onNextReads(Fault.UNAVAILABLE);
            default -> {}
        }
    }

    private static void act(Gateway gateway, Random random) {
        try {
            if (random.nextInt(25) == 0) {
                gateway.says(new LeaseStateMessage.Standby(""));
                gateway.elector.release();
            } else {
                gateway.says(gateway.elector.tryAcquireOrRenew());
            }
        } catch (RuntimeException mishap) {
            assertThat(mishap.getMessage()).isNotNull();
        }
    }
}
