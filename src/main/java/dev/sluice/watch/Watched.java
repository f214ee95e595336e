package dev.sluice.watch;

import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.kube.list.ObjectDecoder;
import dev.sluice.kube.list.ObjectMeta;
import dev.sluice.kube.transport.ApiResource;
import dev.sluice.node.Node;
import dev.sluice.objects.NodeDecoder;
import dev.sluice.objects.PodStateDecoder;
import dev.sluice.pod.Pod;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A kind of object that can be listed and watched, and what its changes are called in the cluster's events. */
public interface Watched<T> {

    /** What a complete list is told as. Used for one list; one that fails is left as it is. */
    interface Listing<T> {

        void page(List<T> objects);

        void complete(long resourceVersion);
    }

    ApiResource resource();

    /** A decoder of its own for each caller. */
    ObjectDecoder<T> decoder();

    long versionOf(T object);

    /** As {@link ObjectMeta#fullName} has it. */
    String nameOf(T object);

    /** To be called before the list is asked for. */
    Listing<T> listing(Consumer<ClusterEvent> listener);

    ClusterEvent seen(T object);

    ClusterEvent removed(ObjectMeta object);

    ClusterEvent bookmark(long resourceVersion);

    /** Up to which moment everything of this kind has been told. */
    FreshnessProbe horizon();

    /** What the kind is watched for: an account that may not list what is only shown does without. */
    PodsUse use();

    final class WatchedNodes implements Watched<Node> {

        private final InstantSource clock;
        private final FreshnessProbe horizon;

        WatchedNodes(InstantSource clock, Consumer<ClusterEvent> listener) {
            this.clock = clock;
            this.horizon = new FreshnessProbe(clock, moment -> listener.accept(new NodeEvent.NodesSyncedUpTo(moment)));
        }

        @Override
        public ApiResource resource() {
            return ApiResource.NODES;
        }

        @Override
        public ObjectDecoder<Node> decoder() {
            return new NodeDecoder();
        }

        @Override
        public long versionOf(Node node) {
            return node.resourceVersion();
        }

        @Override
        public String nameOf(Node node) {
            return node.name();
        }

        /** Nodes are few enough to be told at once. */
        @Override
        public Listing<Node> listing(Consumer<ClusterEvent> listener) {
            List<Node> nodes = new ArrayList<>();
            Instant asked = clock.instant();
            return new Listing<>() {
                @Override
                public void page(List<Node> objects) {
                    nodes.addAll(objects);
                }

                @Override
                public void complete(long resourceVersion) {
                    horizon.listing();
                    Instant asOf = horizon.listed(asked, resourceVersion);
                    listener.accept(new NodeEvent.NodesListed(nodes, resourceVersion));
                    listener.accept(new NodeEvent.NodesSyncedUpTo(asOf));
                }
            };
        }

        @Override
        public ClusterEvent seen(Node node) {
            return new NodeEvent.NodeSeen(node);
        }

        @Override
        public ClusterEvent removed(ObjectMeta node) {
            return new NodeEvent.NodeRemoved(node.name(), node.resourceVersion());
        }

        @Override
        public ClusterEvent bookmark(long resourceVersion) {
            return new NodeEvent.NodesBookmark(resourceVersion);
        }

        @Override
        public FreshnessProbe horizon() {
            return horizon;
        }

        /** Every decision reads them. */
        @Override
        public PodsUse use() {
            return PodsUse.DECISIONS;
        }
    }

    /** All pods that have not ended. */
    final class WatchedPods implements Watched<Pod> {

        private final InstantSource clock;
        private final FreshnessProbe horizon;
        private final PodsUse use;

        WatchedPods(InstantSource clock, PodsUse use, Consumer<ClusterEvent> listener) {
            this.clock = clock;
            this.use = use;
            this.horizon = new FreshnessProbe(clock, moment -> listener.accept(new PodEvent.PodsSyncedUpTo(moment)));
        }

        @Override
        public ApiResource resource() {
            return ApiResource.PODS;
        }

        @Override
        public ObjectDecoder<Pod> decoder() {
            return new PodStateDecoder();
        }

        @Override
        public long versionOf(Pod pod) {
            return pod.resourceVersion();
        }

        @Override
        public String nameOf(Pod pod) {
            return pod.name();
        }

        @Override
        public Listing<Pod> listing(Consumer<ClusterEvent> listener) {
            return new PodListing(listener, clock.instant());
        }

        @Override
        public ClusterEvent seen(Pod pod) {
            return new PodEvent.PodSeen(pod);
        }

        @Override
        public ClusterEvent removed(ObjectMeta pod) {
            return PodStateDecoder.removal(pod);
        }

        @Override
        public ClusterEvent bookmark(long resourceVersion) {
            return new PodEvent.PodsBookmark(resourceVersion);
        }

        @Override
        public FreshnessProbe horizon() {
            return horizon;
        }

        @Override
        public PodsUse use() {
            return use;
        }

        /** A list begins with its first page: where there is no answer, nothing is told. */
        private final class PodListing implements Listing<Pod> {
            private final Consumer<ClusterEvent> listener;
            private final Instant asked;
            private boolean begun;

            PodListing(Consumer<ClusterEvent> listener, Instant asked) {
                this.listener = listener;
                this.asked = asked;
            }

            @Override
            public void page(List<Pod> pods) {
                begin();
                listener.accept(new PodEvent.PodsPage(pods));
            }

            @Override
            public void complete(long resourceVersion) {
                begin();
                listener.accept(new PodEvent.ListEnded(resourceVersion, horizon.listed(asked, resourceVersion)));
            }

            private void begin() {
                if (!begun) {
                    begun = true;
                    horizon.listing();
                    listener.accept(new PodEvent.ListBegun());
                }
            }
        }
    }
}
