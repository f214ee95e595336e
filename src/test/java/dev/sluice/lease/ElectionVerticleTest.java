package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.LeaseStateMessage.Leading;
import dev.sluice.bus.LeaseStateMessage.Standby;
import dev.sluice.bus.Topic;
import dev.sluice.lease.FakeLeaseServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole gateways, as far as the election goes, in real time. */
class ElectionVerticleTest {

    /** Nothing here ends by the passing of time within the patience of a test, however busy the machine is. */
    private static final LeaderElectionConfig LASTING = new LeaderElectionConfig(
            Duration.ofSeconds(60), Duration.ofSeconds(50), Duration.ofMillis(20), Duration.ofSeconds(30));

    /** For what is told only when a time is over; a second is the shortest lease there is. */
    private static final LeaderElectionConfig BRISK = new LeaderElectionConfig(
            Duration.ofSeconds(1), Duration.ofMillis(700), Duration.ofMillis(20), Duration.ofSeconds(1));

    private final Vertx world = Vertx.vertx();
    private final List<Replica> replicas = new ArrayList<>();
    private FakeLeaseServer server;
    private KubernetesClient client;

    /** A process with a bus of its own. */
    private final class Replica {
        private final Vertx vertx = Vertx.vertx();
        private final BlockingQueue<LeaseStateMessage> heard = new LinkedBlockingQueue<>();
        private final Semaphore looks = new Semaphore(0);
        private final LeaderElectionConfig terms;
        private String election = "";

        private Replica() throws Exception {
            this(LASTING);
        }

        private Replica(LeaderElectionConfig terms) throws Exception {
            this.terms = terms;
            replicas.add(this);
            Topic.install(vertx);
            Topic.LEASE_STATE.subscribe(vertx, heard::add);
            start();
        }

        private void start() throws Exception {
            election = await(vertx.deployVerticle(
                    new ElectionVerticle(client, this::look, terms, Handover.HandoverConfig.DEFAULT)));
        }

        private Instant look() {
            looks.release();
            return Instant.now();
        }

        /** Each attempt looks at the clock, whether or not it asks the API server then. */
        private void awaitAttempts() throws InterruptedException {
            looks.drainPermits();
            assertThat(looks.tryAcquire(10, 10, TimeUnit.SECONDS)).isTrue();
        }

        @CanIgnoreReturnValue
        private LeaseStateMessage awaitThat(Predicate<LeaseStateMessage> condition) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            LeaseStateMessage next;
            do {
                next = heard.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new AssertionError("it was not heard");
                }
            } while (!condition.test(next));
            return next;
        }

        private void stop() throws Exception {
            await(vertx.undeploy(election));
        }
    }

    @BeforeEach
    void startsTheServer() throws Exception {
        server = new FakeLeaseServer(world);
        client = server.client();
    }

    @AfterEach
    void stopsEverything() throws Exception {
        for (Replica replica : replicas) {
            await(replica.vertx.close());
        }
        client.close();
        await(world.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static boolean leads(LeaseStateMessage leaseState) {
        return leaseState instanceof Leading;
    }

    private static boolean namesAHolder(LeaseStateMessage leaseState) {
        return leaseState instanceof Standby(String holder) && !holder.isEmpty();
    }

    @Test
    void standsByBeforeItLeads() throws Exception {
        Replica only = new Replica();
        assertThat(only.heard.poll(10, TimeUnit.SECONDS)).isEqualTo(new Standby(""));
        assertThat(only.heard.poll(10, TimeUnit.SECONDS)).isInstanceOf(Leading.class);
    }

    @Test
    void saysAtEveryRenewalHowLongItMayDecide() throws Exception {
        Replica only = new Replica();
        if (only.awaitThat(ElectionVerticleTest::leads) instanceof Leading first
                && only.awaitThat(ElectionVerticleTest::leads) instanceof Leading second) {
            assertThat(second.decidesUntil()).isAfter(first.decidesUntil());
        }
    }

    @Test
    void theNextOneLeadsAsSoonAsTheHolderHasStopped() throws Exception {
        Replica holder = new Replica();
        holder.awaitThat(ElectionVerticleTest::leads);
        Replica next = new Replica();
        next.awaitThat(ElectionVerticleTest::namesAHolder);
        holder.stop();
        holder.awaitThat(new Standby("")::equals);
        next.awaitThat(ElectionVerticleTest::leads);
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
    }

    /** The stop comes at another moment of an attempt or of a pause each time. */
    @Test
    void everyStopReleasesTheLease() throws Exception {
        Replica holder = new Replica();
        for (int i = 0; i < 50; i++) {
            holder.awaitThat(ElectionVerticleTest::leads);
            holder.stop();
            assertThat(server.told("holderIdentity")).as("after stop %d", i).isEqualTo("");
            holder.awaitThat(new Standby("")::equals);
            holder.start();
        }
    }

    @Test
    void takesNothingNewOnceItsProcessIsToEnd() throws Exception {
        Replica holder = new Replica();
        holder.awaitThat(ElectionVerticleTest::leads);
        Replica leaving = new Replica();
        leaving.awaitThat(ElectionVerticleTest::namesAHolder);
        Topic.STOPPING.publish(leaving.vertx, new Topic.Stopping());
        Topic.STOPPING.publish(holder.vertx, new Topic.Stopping());
        holder.heard.clear();
        holder.awaitThat(ElectionVerticleTest::leads);
        holder.stop();
        leaving.awaitAttempts();
        assertThat(server.told("holderIdentity")).isEqualTo("");
        new Replica().awaitThat(ElectionVerticleTest::leads);
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
        assertThat(leaving.heard).noneMatch(ElectionVerticleTest::leads);
    }

    /** Killed: nobody releases the lease, so it has to run out. */
    @Test
    void theNextOneLeadsWhenTheLeaseOfTheHolderHasRunOut() throws Exception {
        Replica holder = new Replica(BRISK);
        holder.awaitThat(ElectionVerticleTest::leads);
        server.rewrite("holderIdentity", "killed");
        holder.awaitThat(new Standby("killed")::equals);
        holder.awaitThat(ElectionVerticleTest::leads);
        assertThat(server.told("leaseTransitions")).isEqualTo(1);
    }

    @Test
    void standsByWhenTheApiServerIsGone() throws Exception {
        Replica only = new Replica(BRISK);
        only.awaitThat(ElectionVerticleTest::leads);
        server.stop();
        only.awaitThat(new Standby("")::equals);
        only.stop();
    }

    @Test
    void goesOnThroughAnswersOfEveryKind() throws Exception {
        server.onNextReads(Fault.UNAVAILABLE, Fault.NO_JSON, Fault.SILENT, Fault.ANSWER_LOST);
        server.onNextWrites(Fault.UNAVAILABLE, Fault.NO_JSON, Fault.SILENT);
        new Replica(BRISK).awaitThat(ElectionVerticleTest::leads);
    }

    @Test
    void stopsInTheMiddleOfARequest() throws Exception {
        server.onNextReads(Fault.SILENT);
        Replica only = new Replica();
        only.awaitThat(new Standby("")::equals);
        only.stop();
        assertThat(server.asked()).doesNotContain("PUT");
    }
}
