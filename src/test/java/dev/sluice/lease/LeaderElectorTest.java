package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.LeaseStateMessage.Leading;
import dev.sluice.bus.LeaseStateMessage.Standby;
import dev.sluice.lease.FakeLeaseServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderElectorTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration YEARS = Duration.ofDays(700);
    private static final LeaderElectionConfig TERMS = LeaderElectionConfig.DEFAULT;

    private final Vertx vertx = Vertx.vertx();
    private final Moving clock = new Moving(NOON);
    private FakeLeaseServer server;
    private KubernetesClient client;
    private LeaderElector first;
    private LeaderElector second;

    @BeforeEach
    void startsTheServer() throws Exception {
        server = new FakeLeaseServer(vertx);
        client = server.client();
        first = elector("first", clock);
        second = elector("second", clock);
    }

    @AfterEach
    void stopsEverything() throws Exception {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private LeaderElector elector(String name, InstantSource by) {
        return new LeaderElector(alone(name, by), new LeaseStore(client, TERMS.requestTimeout()), TERMS, by);
    }

    /** Outside of a Deployment. */
    private static Handover alone(String name, InstantSource by) {
        return new Handover(
                new Handover.Self(name, Optional::empty, () -> FitnessMessage.UNKNOWN),
                Handover.HandoverConfig.DEFAULT,
                by);
    }

    private static Instant after(long seconds) {
        return NOON.plusSeconds(seconds);
    }

    private void pass(long seconds) {
        clock.by(Duration.ofSeconds(seconds));
    }

    @Test
    void takesALeaseThatNobodyEverHad() {
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Leading(Instant.MIN, Instant.MAX, after(10)));
        assertThat(server.told("holderIdentity")).isEqualTo("first");
        assertThat(server.told("leaseDurationSeconds")).isEqualTo(15);
        assertThat(server.told("leaseTransitions")).isEqualTo(0);
        assertThat(server.told("renewTime")).asString().startsWith("2026-11-21T12:00:00.000000");
    }

    @Test
    void renewsWhatItHolds() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        pass(1);
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Leading(Instant.MIN, Instant.MAX, after(11)));
        assertThat(server.told("acquireTime")).asString().startsWith("2026-11-21T12:00:00");
        assertThat(server.told("renewTime")).asString().startsWith("2026-11-21T12:00:01");
        assertThat(server.asked()).containsExactly("GET", "POST", "GET", "PUT");
    }

    @Test
    void keepsOffWhileAnotherOneRenews() {
        for (int i = 0; i < 100; i++) {
            assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
            assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
            pass(5);
        }
    }

    @Test
    void takesOverWhenTheRecordHasNotChangedForItsLength() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        pass(3);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(14);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(after(18), after(15), after(28)));
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Standby("second"));
    }

    /** fabric8's own elector would take over at once from a holder whose clock is behind. */
    @Test
    void believesNoClockButItsOwn() {
        LeaderElector behind = elector("behind", clock.off(YEARS.negated()));
        LeaderElector ahead = elector("ahead", clock.off(YEARS));
        assertThat(behind.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(ahead.tryAcquireOrRenew()).isEqualTo(new Standby("behind"));
        pass(15);
        assertThat(ahead.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(behind.tryAcquireOrRenew()).isEqualTo(new Standby("ahead"));
        pass(15);
        assertThat(behind.tryAcquireOrRenew()).isInstanceOf(Leading.class);
    }

    /** A elector that has just started cannot know when the holder renewed for the last time. */
    @Test
    void waitsTheWholeLengthFromItsFirstSight() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        pass(3600);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(after(3615), after(15), after(3625)));
    }

    @Test
    void keepsOffAsLongAsTheRecordSays() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.rewrite("leaseDurationSeconds", 60);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(59);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
    }

    /** Whoever may write the Lease cannot keep every replica from deciding for years. */
    @Test
    void believesNoDurationBeyondAMinute() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.rewrite("leaseDurationSeconds", Integer.MAX_VALUE);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(59);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(server.told("leaseDurationSeconds")).isEqualTo(15);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999-12-31T23:59:59.999999Z", "0000-01-01T00:00:00.000000Z"})
    void takesOverWhateverTimeTheRecordSays(String time) {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.rewrite("renewTime", time);
        server.rewrite("acquireTime", time);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
    }

    @Test
    void takesOverAfterTheLargestNumberOfTransitions() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.rewrite("leaseTransitions", Integer.MAX_VALUE);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(server.told("leaseTransitions")).isEqualTo(0);
    }

    @Test
    void keepsNoMoreOfALongHolderThanNeeded() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.rewrite("holderIdentity", "x".repeat(100_000));
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("x".repeat(512)));
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
    }

    @Test
    void takesAReleasedLeaseAtOnce() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(4);
        first.release();
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(after(5), after(5), after(15)));
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
    }

    @Test
    void releasesOnlyWhatItHolds() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        second.release();
        assertThat(server.told("holderIdentity")).isEqualTo("first");
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        first.release();
        assertThat(server.told("holderIdentity")).isEqualTo("second");
    }

    /** A stop cuts off what is under way, so this is the last that it did before it releases. */
    @Test
    void releasesALeaseThatItTookWithoutHearingTheAnswer() {
        server.onNextWrites(Fault.ANSWER_LOST);
        assertThatThrownBy(first::tryAcquireOrRenew).isInstanceOf(KubernetesClientException.class);
        first.release();
        assertThat(server.told("holderIdentity")).isEqualTo("");

        server.onNextWrites(Fault.ANSWER_LOST);
        assertThatThrownBy(second::tryAcquireOrRenew).isInstanceOf(KubernetesClientException.class);
        second.release();
        assertThat(server.told("holderIdentity")).isEqualTo("");
    }

    @Test
    void releasesTheLeaseThoughItsOwnLastRenewalArrivesInBetween() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        AtomicBoolean late = new AtomicBoolean(true);
        server.whileUnderway(() -> {
            if (server.asked().getLast().equals("PUT") && late.getAndSet(false)) {
                server.rewrite("renewTime", "2026-11-21T12:00:01.000000Z");
            }
        });
        first.release();
        assertThat(server.told("holderIdentity")).isEqualTo("");
    }

    @Test
    void countsItsOwnTimeFromBeforeItAsked() {
        server.whileUnderway(() -> pass(2));
        // Two seconds each for the read, there and back, and then for the write.
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Leading(Instant.MIN, Instant.MAX, after(14)));
        assertThat(clock.instant()).isEqualTo(after(8));
    }

    @Test
    void doesNotDecideByARenewalThatCameTooLate() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        server.whileUnderway(() -> pass(6));
        assertThat(first.tryAcquireOrRenew().holdsAt(clock.instant())).isFalse();
    }

    @Test
    void isNotTheHolderWhenAnotherOneWasFaster() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        first.release();
        server.onNextWrites(Fault.OUTRUN);
        assertThatThrownBy(second::tryAcquireOrRenew)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(409));
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("faster"));
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Standby("faster"));
    }

    /** Nobody else decided meanwhile, so nothing has to be waited for again. */
    @Test
    void comesBackToItsTermAfterTheApiServerWasGone() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        first.release();
        LeaseStateMessage taken = second.tryAcquireOrRenew();
        assertThat(taken).isEqualTo(new Leading(NOON, after(1), after(10)));
        server.onNextReads(Fault.UNAVAILABLE, Fault.NO_JSON);
        server.onNextWrites(Fault.UNAVAILABLE);
        for (int i = 0; i < 3; i++) {
            pass(20);
            assertThatThrownBy(second::tryAcquireOrRenew).isInstanceOf(RuntimeException.class);
            assertThat(taken.holdsAt(clock.instant())).isFalse();
        }
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(NOON, after(1), after(70)));
    }

    @Test
    void keepsItsTermWhenTheAnswerToARenewalIsLost() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        pass(1);
        server.onNextWrites(Fault.ANSWER_LOST);
        assertThatThrownBy(first::tryAcquireOrRenew).isInstanceOf(KubernetesClientException.class);
        pass(1);
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Leading(Instant.MIN, Instant.MAX, after(12)));
    }

    @Test
    void takesCareWhenTheAnswerToItsTakingWasLost() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        first.release();
        server.onNextWrites(Fault.ANSWER_LOST);
        assertThatThrownBy(second::tryAcquireOrRenew).isInstanceOf(KubernetesClientException.class);
        pass(2);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(after(17), Instant.MAX, after(12)));
    }

    /** Whoever held it may go on until its time is over. */
    @Test
    void takesCareWhenALeaseThatWasThereIsGone() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        server.deleteLease();
        pass(1);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Leading(after(16), Instant.MAX, after(11)));
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Standby("second"));
    }

    @Test
    void standsByAgainAfterALossAndBeginsANewTerm() {
        assertThat(first.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(second.tryAcquireOrRenew()).isEqualTo(new Standby("first"));
        pass(15);
        assertThat(second.tryAcquireOrRenew()).isInstanceOf(Leading.class);
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Standby("second"));
        second.release();
        assertThat(first.tryAcquireOrRenew()).isEqualTo(new Leading(after(15), after(16), after(25)));
        assertThat(server.told("leaseTransitions")).isEqualTo(2);
    }

    @Test
    void doesNotWaitForeverForAnAnswer() {
        LeaderElector impatient = new LeaderElector(
                alone("impatient", clock), new LeaseStore(client, Duration.ofMillis(50)), TERMS, clock);
        server.onNextReads(Fault.SILENT);
        assertThatThrownBy(impatient::tryAcquireOrRenew).isInstanceOf(KubernetesClientException.class);
        assertThat(impatient.tryAcquireOrRenew()).isInstanceOf(Leading.class);
    }
}
