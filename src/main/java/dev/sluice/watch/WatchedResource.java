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

/** A kind that is listed and watched, and the cluster events of its changes. */
public interface WatchedResource<T> {

    /** Receives the pages of one list. A list that fails is never completed. */
    interface ListHandler<T> {

        void page(List<T> objects);

        void complete(long resourceVersion);
    }

    ApiResource resource();

    /** A new decoder: each has one owner. */
    ObjectDecoder<T> decoder();

    long versionOf(T object);

    /** The same as {@link ObjectMeta#fullName}. */
    String nameOf(T object);

    /** Has to be called before the list is requested. */
    ListHandler<T> listHandler(Consumer<ClusterEvent> listener);

    ClusterEvent seen(T object);

    ClusterEvent removed(ObjectMeta object);

    ClusterEvent bookmark(long resourceVersion);

    FreshnessProbe freshness();

    /** Whether the gateway can do without this kind where the account may not list it. */
    PodAccess access();

    final class WatchedNodes implements WatchedResource<Node> {

        private final InstantSource clock;
        private final FreshnessProbe freshness;

        WatchedNodes(InstantSource clock, Consumer<ClusterEvent> listener) {
            this.clock = clock;
            this.freshness =
                    new FreshnessProbe(clock, moment -> listener.accept(new NodeEvent.NodesSyncedUpTo(moment)));
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

        /** Nodes are few enough to be published at once. */
        @Override
        public ListHandler<Node> listHandler(Consumer<ClusterEvent> listener) {
            List<Node> nodes = new ArrayList<>();
            Instant start = clock.instant();
            return new ListHandler<>() {
                @Override
                public void page(List<Node> objects) {
                    nodes.addAll(objects);
                }

                @Override
                public void complete(long resourceVersion) {
                    freshness.listBegins();
                    Instant asOf = freshness.listEnds(start, resourceVersion);
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
        public FreshnessProbe freshness() {
            return freshness;
        }

        @Override
        public PodAccess access() {
            return PodAccess.REQUIRED;
        }
    }

    /** All pods that have not ended. */
    final class WatchedPods implements WatchedResource<Pod> {

        private final InstantSource clock;
        private final FreshnessProbe freshness;
        private final PodAccess access;

        WatchedPods(InstantSource clock, PodAccess access, Consumer<ClusterEvent> listener) {
            this.clock = clock;
            this.access = access;
            this.freshness = new FreshnessProbe(clock, moment -> listener.accept(new PodEvent.PodsSyncedUpTo(moment)));
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
        public ListHandler<Pod> listHandler(Consumer<ClusterEvent> listener) {
            return new PodListHandler(listener, clock.instant());
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
        public FreshnessProbe freshness() {
            return freshness;
        }

        @Override
        public PodAccess access() {
            return access;
        }

        /** Publishes the beginning with the first page, so that a list without an answer publishes nothing. */
        private final class PodListHandler implements ListHandler<Pod> {
            private final Consumer<ClusterEvent> listener;
            private final Instant start;
            private boolean begun;

            PodListHandler(Consumer<ClusterEvent> listener, Instant start) {
                this.listener = listener;
                this.start = start;
            }

            @Override
            public void page(List<Pod> pods) {
                begin();
                listener.accept(new PodEvent.PodsPage(pods));
            }

            @Override
            public void complete(long resourceVersion) {
                begin();
                listener.accept(new PodEvent.ListEnded(resourceVersion, freshness.listEnds(start, resourceVersion)));
            }

            private void begin() {
                if (!begun) {
                    begun = true;
                    freshness.listBegins();
                    listener.accept(new PodEvent.ListBegun());
                }
            }
        }
    }
}
