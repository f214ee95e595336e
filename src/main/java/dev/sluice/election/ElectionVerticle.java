package dev.sluice.election;

import dev.sluice.bus.Topic;
import dev.sluice.bus.message.Fitness;
import dev.sluice.bus.message.LeaseState;
import dev.sluice.election.succession.HandoverTerms;
import dev.sluice.election.succession.Succession;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Publishes whether this process holds the lease. Like the watcher's, its thread has one way out, onto the verticle's
 * context. To be undeployed after whoever asks for decisions: then the lease is released.
 */
public final class ElectionVerticle extends VerticleBase {

    private final KubernetesClient client;
    private final InstantSource clock;
    private final LeaseTerms terms;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /** Written by the context, read by the thread. */
    private volatile Fitness fitness = Fitness.UNKNOWN;

    private @Nullable Election election;
    private @Nullable Thread thread;

    /**
     * The client stays the caller's to close, after this verticle.
     *
     * @param clock the one by which decisions are taken; it must never go back
     */
    public ElectionVerticle(KubernetesClient client, InstantSource clock) {
        this(client, clock, LeaseTerms.USUAL);
    }

    ElectionVerticle(KubernetesClient client, InstantSource clock, LeaseTerms terms) {
        this.client = client;
        this.clock = clock;
        this.terms = terms;
    }

    /** From now on nobody may decide who has not heard otherwise. */
    @Override
    public Future<?> start() {
        Topic.LEASE_STATE.publish(vertx, new LeaseState.Standby(""));
        Topic.FITNESS.subscribe(vertx, newest -> fitness = newest);
        LeaseStore store = new LeaseStore(client, terms.answer());
        Succession.Self self =
                new Succession.Self(Identity.ofThisProcess(), store.pod(Identity.podOfThisProcess()), () -> fitness);
        Succession succession = new Succession(self, HandoverTerms.USUAL, clock);
        LeaderElector candidate = new LeaderElector(succession, store, terms, clock);
        Election begun = new Election(candidate, terms.pause(), clock, this::publish);
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

    private void publish(LeaseState leadership) {
        context.runOnContext(_ -> Topic.LEASE_STATE.publish(vertx, leadership));
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
