package dev.sluice.lease;

import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.OwnPodName;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Publishes whether this process holds the lease. The thread of the election reports only through the verticle's
 * context. Undeploying this verticle releases the lease, so the verticles that ask for decisions must be undeployed
 * before.
 */
public final class ElectionVerticle extends VerticleBase {

    private final KubernetesClient client;
    private final InstantSource clock;
    private final LeaderElectionConfig config;
    private final Handover.HandoverConfig handoverConfig;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /**
     * The newest report of the decision verticle. It is volatile, because the context writes it and the thread of the
     * election reads it.
     */
    private volatile FitnessMessage fitness = FitnessMessage.UNKNOWN;

    private @Nullable Election election;
    private @Nullable Thread thread;

    /**
     * Creates a verticle that uses {@code client}. The caller closes the client after this verticle has stopped.
     *
     * @param clock the clock of decisions, which must never go back
     */
    public ElectionVerticle(KubernetesClient client, InstantSource clock, TakeoverTimes times) {
        this(
                client,
                clock,
                LeaderElectionConfig.DEFAULT,
                Handover.HandoverConfig.DEFAULT.withMinimumTenure(times.minimumTenure()));
    }

    ElectionVerticle(
            KubernetesClient client,
            InstantSource clock,
            LeaderElectionConfig config,
            Handover.HandoverConfig handoverConfig) {
        this.client = client;
        this.clock = clock;
        this.config = config;
        this.handoverConfig = handoverConfig;
    }

    /** Publishes Standby first, so that no verticle decides before the lease is held. */
    @Override
    public Future<?> start() {
        Topic.LEASE_STATE.publish(vertx, new LeaseStateMessage.Standby(""));
        Topic.FITNESS.subscribe(vertx, newest -> fitness = newest);
        LeaseStore store = new LeaseStore(client, config.requestTimeout());
        // Each start of a pod gets a new identity, so that a restarted process is not mistaken for the former holder.
        String identity = OwnPodName.hostName() + "_" + UUID.randomUUID();
        Handover.Self self = new Handover.Self(identity, store.pod(OwnPodName.hostName()), () -> fitness);
        Handover handover = new Handover(self, handoverConfig, clock);
        LeaderElector elector = new LeaderElector(handover, store, config, clock);
        Election begun = new Election(elector, config.retryPeriod(), clock, this::publish);
        election = begun;
        Topic.STOPPING.subscribe(vertx, _ -> begun.leave());
        thread = Thread.ofVirtual().name("election").start(() -> {
            try {
                begun.run();
            } finally {
                ended.complete(null);
            }
        });
        return Future.succeededFuture();
    }

    private void publish(LeaseStateMessage leaseState) {
        context.runOnContext(_ -> Topic.LEASE_STATE.publish(vertx, leaseState));
    }

    @Override
    public Future<?> stop() {
        if (election == null || thread == null) {
            return Future.succeededFuture();
        }
        election.stop(thread);
        return Future.fromCompletionStage(ended, context);
    }
}
