package dev.sluice.kube.watch;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.client.ObjectDecoder;
import dev.sluice.kube.client.ObjectMeta;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.PodStateDecoder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A resource that is listed and watched, and the cluster events of its changes.
 *
 * @param access whether the gateway can do without it where the account may not list it
 * @param decoders a decoder has one owner
 * @param lists a handler of one list, made before the list is requested
 * @param nameOf the same as {@link ObjectMeta#fullName}
 */
record WatchedResource<T>(
        ApiResource resource,
        PodAccess access,
        FreshnessProbe freshness,
        Supplier<ObjectDecoder<T>> decoders,
        Supplier<ListHandler<T>> lists,
        Function<T, String> nameOf,
        ToLongFunction<T> versionOf,
        Function<T, ClusterEvent> seen,
        Function<ObjectMeta, ClusterEvent> removed,
        LongFunction<ClusterEvent> bookmark) {

    /** Receives the pages of one list. A list that fails is never completed. */
    interface ListHandler<T> {

        void page(List<T> objects);

        void complete(long resourceVersion);
    }

    /** The events that publish a list in pages. */
    private record ListEvents<T>(ClusterEvent begun, Function<List<T>, ClusterEvent> page, ListEnd ended) {}

    private interface ListEnd {
        ClusterEvent of(long resourceVersion, Instant asOf);
    }

    private static final ListEvents<Node> NODE_LIST =
            new ListEvents<>(new NodeEvent.NodeListBegun(), NodeEvent.NodesPage::new, NodeEvent.NodeListEnded::new);

    private static final ListEvents<Pod> POD_LIST =
            new ListEvents<>(new PodEvent.ListBegun(), PodEvent.PodsPage::new, PodEvent.ListEnded::new);

    static WatchedResource<Node> nodes(InstantSource clock, Consumer<ClusterEvent> listener) {
        FreshnessProbe freshness =
                new FreshnessProbe(clock, moment -> listener.accept(new NodeEvent.NodesSyncedUpTo(moment)));
        return new WatchedResource<>(
                ApiResource.NODES,
                PodAccess.REQUIRED,
                freshness,
                NodeDecoder::new,
                () -> new PagedList<>(freshness, clock.instant(), NODE_LIST, listener),
                Node::name,
                Node::resourceVersion,
                NodeEvent.NodeSeen::new,
                node -> new NodeEvent.NodeRemoved(node.name(), node.resourceVersion()),
                NodeEvent.NodesBookmark::new);
    }

    static WatchedResource<Pod> pods(InstantSource clock, PodAccess access, Consumer<ClusterEvent> listener) {
        FreshnessProbe freshness =
                new FreshnessProbe(clock, moment -> listener.accept(new PodEvent.PodsSyncedUpTo(moment)));
        return new WatchedResource<>(
                ApiResource.PODS,
                access,
                freshness,
                PodStateDecoder::new,
                () -> new PagedList<>(freshness, clock.instant(), POD_LIST, listener),
                Pod::name,
                Pod::resourceVersion,
                PodEvent.PodSeen::new,
                PodStateDecoder::removal,
                PodEvent.PodsBookmark::new);
    }

    /** Publishes the beginning with the first page, so that a list without an answer publishes nothing. */
    private static final class PagedList<T> implements ListHandler<T> {
        private final FreshnessProbe freshness;
        private final Instant start;
        private final ListEvents<T> events;
        private final Consumer<ClusterEvent> listener;
        private boolean begun;

        PagedList(FreshnessProbe freshness, Instant start, ListEvents<T> events, Consumer<ClusterEvent> listener) {
            this.freshness = freshness;
            this.start = start;
            this.events = events;
            this.listener = listener;
        }

        @Override
        public void page(List<T> objects) {
            begin();
            listener.accept(events.page().apply(objects));
        }

        @Override
        public void complete(long resourceVersion) {
            begin();
            listener.accept(events.ended().of(resourceVersion, freshness.listEnds(start, resourceVersion)));
        }

        private void begin() {
            if (!begun) {
                begun = true;
                freshness.listBegins();
                listener.accept(events.begun());
            }
        }
    }
}
