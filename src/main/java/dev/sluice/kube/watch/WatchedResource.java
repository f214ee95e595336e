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
 * A kind of object that is listed and watched, with the functions that create events from its objects.
 *
 * @param access whether the gateway needs the objects if the account may not list them
 * @param decoders creates a decoder, which only one thread may use
 * @param lists creates the handler of one list, before the list is requested
 * @param nameOf returns the same name as {@link ObjectMeta#fullName}
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

    /** Receives the pages of one list. If the list fails, the handler is never completed. */
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

    /**
     * Publishes the event for the beginning of a list together with the first page. If the API server does not answer,
     * nothing is published.
     */
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
