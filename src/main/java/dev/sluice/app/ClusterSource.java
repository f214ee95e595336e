package dev.sluice.app;

import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerAccessRequests;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.kube.client.OwnRequiredRight;
import dev.sluice.kube.client.OwnRights;
import dev.sluice.kube.client.SingleObjects;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.kube.facts.LiveFactLists;
import dev.sluice.kube.facts.LiveFactsReader;
import dev.sluice.kube.watch.PodReflectorAccess;
import dev.sluice.kube.watch.SnapshotVerticle;
import dev.sluice.kube.watch.WatcherVerticle;
import dev.sluice.lease.LeaseClient;
import dev.sluice.lease.LeaseReplicaSettings;
import dev.sluice.ledger.Ledger;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.record.events.KubernetesEventVerticle;
import dev.sluice.record.summary.SummaryVerticle;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicationTimes;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The source of the cluster's state: an API server, a snapshot file, or the program that embeds the gateway. */
public sealed interface ClusterSource {

    /**
     * Returns the verticle that publishes the state of the cluster. {@code clock} must be the clock that decisions use.
     */
    Deployable verticle(InstantSource clock, PodReflectorAccess podsUse);

    /** Returns the age up to which the state of the cluster counts as current. */
    default Duration limit() {
        return FreshnessMessage.NO_LIMIT;
    }

    /**
     * Returns the settings with which this process shares reservations with other replicas. Returns empty if the source
     * has no Lease, because there are no other replicas then.
     */
    default Optional<LeaseReplicaSettings> replica(InstantSource clock) {
        return Optional.empty();
    }

    /** Returns the reader for diagnoses. Returns empty if the source supports no diagnoses. */
    default Optional<LiveFactsReader> reading() {
        return Optional.empty();
    }

    /** Returns the verticle that writes Kubernetes Events. Returns empty if the source has no API server. */
    default Optional<Deployable> announcements(InstantSource clock, KubernetesEventMetrics metrics) {
        return Optional.empty();
    }

    /** Returns the verticle that counts decisions for the summary of decisions. */
    default Deployable summary(InstantSource clock) {
        return SummaryVerticle.alone(clock, "because the cluster is not read from an API server");
    }

    /**
     * Returns the object that asks the API server about bearer tokens. Returns empty if the source has no API server.
     */
    default Optional<AccessQuestions> access() {
        return Optional.empty();
    }

    /**
     * Returns the object that asks the API server whether this process has the rights that it needs. Returns empty if
     * the source has no API server.
     *
     * @param needed a function from the namespace of this process to the needed rights
     */
    default Optional<OwnRights> rights(Function<String, List<OwnRequiredRight>> needed) {
        return Optional.empty();
    }

    /**
     * Releases the resources of the source, such as its client. It is called after the verticle of this source was
     * undeployed.
     */
    default void release() {}

    /**
     * The state of the cluster is read from the API server.
     *
     * @param summary true if the counts of decisions are kept in a ConfigMap
     */
    record Live(KubernetesClient client, ReplicationTimes times, boolean summary) implements ClusterSource {

        public Live(KubernetesClient client) {
            this(client, ReplicationTimes.of(Ledger.LONGEST_CREATE.toMillis()), /* summary= */ true);
        }

        @Override
        public Deployable verticle(InstantSource clock, PodReflectorAccess podsUse) {
            return new WatcherVerticle(client, clock, podsUse);
        }

        @Override
        public Duration limit() {
            return WatcherVerticle.FRESHNESS_LIMIT;
        }

        /** Each start of a process gets a new identity, because a restarted process has lost its reservations. */
        @Override
        public Optional<LeaseReplicaSettings> replica(InstantSource clock) {
            String pod = OwnPodName.hostName().replaceAll("[^A-Za-z0-9.-]", "-");
            return Optional.of(new LeaseReplicaSettings(
                    new Member(pod + "_" + UUID.randomUUID(), /* address= */ ""),
                    new LeaseClient(
                            client,
                            clock,
                            Duration.ofMillis(times.readTimeout()),
                            Duration.ofMillis(times.writeTimeout())),
                    times));
        }

        @Override
        public Optional<LiveFactsReader> reading() {
            return Optional.of(LiveFactLists.within(client, Runtime.getRuntime().maxMemory()));
        }

        @Override
        public Optional<Deployable> announcements(InstantSource clock, KubernetesEventMetrics metrics) {
            return Optional.of(
                    new KubernetesEventVerticle(new SingleObjects(client), clock, OwnPodName.of(client), metrics));
        }

        @Override
        public Deployable summary(InstantSource clock) {
            return summary
                    ? SummaryVerticle.shared(new SingleObjects(client), OwnPodName.of(client), clock)
                    : SummaryVerticle.alone(clock, "because kubernetes.summary is false");
        }

        @Override
        public Optional<AccessQuestions> access() {
            return Optional.of(new ApiServerAccessRequests(new ApiServer(client)));
        }

        @Override
        public Optional<OwnRights> rights(Function<String, List<OwnRequiredRight>> needed) {
            String namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
            return Optional.of(new OwnRights(new ApiServer(client), needed.apply(namespace)));
        }

        @Override
        public void release() {
            client.close();
        }
    }

    /** The state of the cluster is read from a snapshot file that kubectl has written. */
    record File(Path path) implements ClusterSource {
        @Override
        public Deployable verticle(InstantSource clock, PodReflectorAccess podsUse) {
            return new SnapshotVerticle(path, clock);
        }

        @Override
        public Optional<LiveFactsReader> reading() {
            return Optional.of(() -> FactsFiles.read(List.of(path), KubectlFileLimits.ofGateway(), (_, _) -> {}));
        }
    }

    /**
     * The program that embeds the gateway publishes the nodes and pods. The cluster is empty at first.
     *
     * @param reading the reader for diagnoses; empty if the program supports no diagnoses
     */
    record Embedded(Optional<LiveFactsReader> reading) implements ClusterSource {

        public Embedded() {
            this(Optional.empty());
        }

        @Override
        public Deployable verticle(InstantSource clock, PodReflectorAccess podsUse) {
            return new VerticleBase() {
                @Override
                public Future<?> start() {
                    Topic.CLUSTER_EVENTS.publish(vertx, new NodeEvent.NodesListed(List.of(), 0));
                    Topic.CLUSTER_EVENTS.publish(vertx, new PodEvent.ListBegun());
                    Topic.CLUSTER_EVENTS.publish(vertx, new PodEvent.ListEnded(0, clock.instant()));
                    return Future.succeededFuture();
                }
            };
        }
    }
}
