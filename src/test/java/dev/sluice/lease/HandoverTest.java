package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.LeaseStateMessage.Leading;
import dev.sluice.bus.LeaseStateMessage.Standby;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rollout, as the replicas of two revisions see it, second by second. */
class HandoverTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final LeaderElectionConfig TERMS = LeaderElectionConfig.DEFAULT;

    private final Vertx vertx = Vertx.vertx();
    private final Moving clock = new Moving(NOON);
    private final List<Replica> replicas = new ArrayList<>();
    private FakeLeaseServer server;
    private KubernetesClient client;

    /** A process that tries once a second, as long as it lives. */
    private final class Replica {
        private final LeaderElector elector;
        private boolean able = true;
        private LeaseStateMessage said = new Standby("");

        private Replica(String name, String revision, Instant created) {
            Handover.Self self = new Handover.Self(
                    name,
                    () -> Optional.of(new LeaseCandidate.Revision(revision, created)),
                    () -> new FitnessMessage(able, said));
            elector = new LeaderElector(
                    new Handover(self, Handover.HandoverConfig.DEFAULT, clock),
                    new LeaseStore(client, TERMS.requestTimeout()),
                    TERMS,
                    clock);
            replicas.add(this);
        }

        private boolean leads() {
            return said instanceof Leading && said.holdsAt(clock.instant());
        }

        private void dies() {
            replicas.remove(this);
        }
    }

    @BeforeEach
    void startsTheServer() throws Exception {
        server = new FakeLeaseServer(vertx);
        client = server.client();
    }

    @AfterEach
    void stopsEverything() throws Exception {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @CanIgnoreReturnValue
    private Replica replica(String name, String revision) {
        return new Replica(name, revision, clock.instant());
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            for (Replica replica : List.copyOf(replicas)) {
                replica.said = replica.elector.tryAcquireOrRenew();
                assertThat(replicas.stream().filter(Replica::leads)).hasSizeLessThanOrEqualTo(1);
            }
            clock.by(Duration.ofSeconds(1));
        }
    }

    /** How long until it leads; the test fails where it does not within ten minutes. */
    private int secondsUntilItLeads(Replica replica) {
        int seconds = 0;
        while (!replica.leads() && seconds < 600) {
            pass(1);
            seconds++;
        }
        assertThat(replica.leads()).isTrue();
        return seconds;
    }

    @Test
    void aHolderLetsANewerRevisionHaveTheLeaseOnceThatCouldDecide() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        next.able = false;
        pass(100);
        assertThat(old.leads()).as("nothing is known of the new one").isTrue();
        next.able = true;
        pass(9);
        assertThat(old.leads()).as("the new one has not proved itself").isTrue();
        assertThat(secondsUntilItLeads(next)).isLessThan(10);
        pass(600);
        assertThat(next.leads()).as("it is not given back").isTrue();
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
    }

    @Test
    void theNewHolderKnowsWhenTheFormerMayHaveDecidedLast() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        Instant last = clock.instant();
        while (!next.leads()) {
            last = old.leads() ? clock.instant() : last;
            pass(1);
        }
        assertThat(((Leading) next.said).formerMayHaveDecidedUntil()).isAfterOrEqualTo(last);
    }

    @Test
    void replicasOfTheSameRevisionLeaveItToTheHolder() {
        Replica old = replica("old", "a");
        pass(10);
        replica("same", "a");
        pass(600);
        assertThat(old.leads()).isTrue();
    }

    @Test
    void aRevisionThatEndsAgainAndAgainIsNotBelieved() {
        Replica old = replica("old", "a");
        pass(100);
        for (int i = 0; i < 30; i++) {
            Replica next = replica("next-" + i, "b");
            pass(8);
            next.dies();
            pass(7);
            assertThat(old.leads()).as("start %d", i).isTrue();
        }
        assertThat(server.told("leaseTransitions")).isEqualTo(0);
    }

    /** The old standby is of no newer revision, and the former holder knows whom it gave the lease to. */
    @Test
    void nobodyOfTheOldRevisionTakesWhatWasReleasedForTheNewOne() {
        Replica old = replica("old", "a");
        replica("standby", "a");
        pass(100);
        Replica next = replica("next", "b");
        replica("next-too", "b");
        pass(60);
        assertThat(replicas.stream().filter(Replica::leads))
                .singleElement()
                .satisfies(leader -> assertThat(leader).isNotSameAs(old));
        assertThat(next.said).isInstanceOfAny(Leading.class, Standby.class);
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
    }

    @Test
    void theOldRevisionTakesItBackFromANewOneThatEndsWhenItDecides() {
        Replica old = replica("old", "a");
        pass(100);
        for (int i = 0; i < 20; i++) {
            Replica next = replica("next-" + i, "b");
            pass(20);
            boolean led = next.leads();
            assertThat(led).as("start %d", i).isEqualTo(i == 0);
            next.dies();
            assertThat(secondsUntilItLeads(old)).isLessThan(20);
        }
        assertThat(server.told("leaseTransitions")).isEqualTo(2);
    }

    @Test
    void aNewRevisionThatIsGoneBeforeItTakesTheLeaseIsWaitedForInVainForSecondsOnly() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        while (old.leads()) {
            old.said = old.elector.tryAcquireOrRenew();
            if (old.leads()) {
                pass(1);
            }
        }
        next.dies();
        assertThat(secondsUntilItLeads(old)).isLessThan(15);
    }

    /** Its pods are created anew, whatever the template was before. */
    @Test
    void aRollbackTakesTheLeaseToo() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        assertThat(secondsUntilItLeads(next)).isPositive();
        old.dies();
        pass(100);
        Replica back = replica("back", "a");
        assertThat(secondsUntilItLeads(back)).isPositive();
        pass(300);
        assertThat(back.leads()).isTrue();
    }

    /** Until the Deployment has ended the old pods, one of them may be created anew: on another node, for example. */
    @Test
    void aHolderThatHasJustBegunHandsNothingOver() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        assertThat(secondsUntilItLeads(next)).isPositive();
        old.dies();
        Replica again = replica("again", "a");
        pass(50);
        assertThat(next.leads()).isTrue();
        again.dies();
        pass(100);
        assertThat(next.leads()).isTrue();
    }

    @Test
    void somethingElseInTheAnnotationIsNobody() {
        Replica old = replica("old", "a");
        pass(100);
        for (String text :
                List.of("x", "x b tomorrow 1", "x b 2030-01-01T00:00:00Z many", "x b 2030-01-01T00:00:00Z 1")) {
            server.annotate(LeaseCandidate.ANNOTATION, text);
            pass(100);
            assertThat(old.leads()).as(text).isTrue();
        }
    }

    /** A dead holder is found out by what it says of itself, not by what others write beside it. */
    @Test
    void announcementsDoNotKeepADeadHolderAlive() {
        Replica old = replica("old", "a");
        pass(10);
        Replica next = replica("next", "b");
        pass(5);
        old.dies();
        assertThat(secondsUntilItLeads(next)).isBetween(13, 17);
    }

    @Test
    void heartbeatsBeforeASilenceDoNotCount() {
        Replica old = replica("old", "a");
        pass(100);
        Replica next = replica("next", "b");
        pass(8);
        next.dies();
        pass(15);
        replicas.add(next);
        pass(9);

        assertThat(old.leads()).as("three heartbeats are not enough").isTrue();
        assertThat(secondsUntilItLeads(next)).isLessThan(10);
    }

    @Test
    void aHandoverThatFailedDoesNotBarTheRevisionInLaterTerms() {
        Replica old = replica("old", "a");
        Replica standby = replica("standby", "a");
        pass(100);
        Replica next = replica("next", "b");
        assertThat(secondsUntilItLeads(next)).isPositive();
        next.dies();
        standby.dies();
        assertThat(secondsUntilItLeads(old)).isLessThan(20);
        pass(590);
        old.dies();
        replicas.add(standby);
        assertThat(secondsUntilItLeads(standby)).isLessThan(20);
        standby.dies();
        replicas.add(old);
        assertThat(secondsUntilItLeads(old)).isLessThan(20);

        assertThat(secondsUntilItLeads(replica("next-too", "b"))).isLessThan(70);
    }

    @Test
    void aFreeLeaseDoesNotWaitForAReplicaThatHasSpokenOnce() {
        Replica old = replica("old", "a");
        Replica standby = replica("standby", "a");
        pass(100);
        old.dies();
        pass(12);
        Replica next = replica("next", "b");
        pass(1);
        next.dies();

        assertThat(secondsUntilItLeads(standby)).isLessThan(5);
    }
}
