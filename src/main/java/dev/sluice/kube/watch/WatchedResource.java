package dev.sluice.kube.watch;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.ObjectMeta;
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
 * A kind of object that is listed and watched.
 *
 * @param isOptional true if the gateway works without the objects; it is then no failure if the account may not list
 *     them
 * @param decoders a supplier of decoders; only one thread may use a decoder
 * @param nameOf a function that returns the name of an object, in the same form as {@link ObjectMeta#fullName}
 */
record WatchedResource<T>(
        ApiResource resource,
        boolean isOptional,
        WatchFreshnessProbe freshness,
        Supplier<ObjectDecoder<T>> decoders,
        ObjectListener<T> listener,
        Function<T, String> nameOf,
        ToLongFunction<T> versionOf) {

    /** Receives the objects of a reflector. The thread of the reflector calls it. */
    interface ObjectListener<T> {

        /** Creates the handler of one list, before the list is requested. */
        ListHandler<T> list();

        /** Called when an object was added or modified. */
        void seen(T object);

        void removed(ObjectMeta object);

        /** Called after the listener has received all changes up to this resourceVersion. */
        void bookmark(long resourceVersion);
    }

    /** Receives the pages of one list. If the list fails, the handler is never completed. */
    interface ListHandler<T> {

        void page(List<T> objects);

        void complete(long resourceVersion);
    }

    /** Publishes changes of the objects as cluster events. */
    private record EventListener<T>(
            Supplier<ListHandler<T>> lists,
            Function<T, ClusterEvent> seenEvent,
            Function<ObjectMeta, ClusterEvent> removedEvent,
            LongFunction<ClusterEvent> bookmarkEvent,
            Consumer<ClusterEvent> events)
            implements ObjectListener<T> {

        @Override
        public ListHandler<T> list() {
            return lists.get();
        }

        @Override
        public void seen(T object) {
            events.accept(seenEvent.apply(object));
        }

        @Override
        public void removed(ObjectMeta object) {
            events.accept(removedEvent.apply(object));
        }

        @Override
        public void bookmark(long resourceVersion) {
            events.accept(bookmarkEvent.apply(resourceVersion));
        }
    }

    /** The cluster events by which a list is published in pages. */
    private record ListEvents<T>(ClusterEvent begun, Function<List<T>, ClusterEvent> page, ListEnd ended) {}

    private interface ListEnd {
        ClusterEvent of(long resourceVersion, Instant asOf);
    }

    private static final ListEvents<Node> NODE_LIST =
            new ListEvents<>(new NodeEvent.NodeListBegun(), NodeEvent.NodesPage::new, NodeEvent.NodeListEnded::new);

    private static final ListEvents<Pod> POD_LIST =
            new ListEvents<>(new PodEvent.ListBegun(), PodEvent.PodsPage::new, PodEvent.ListEnded::new);

    static WatchedResource<Node> nodes(InstantSource clock, Consumer<ClusterEvent> listener) {
        WatchFreshnessProbe freshness =
                new WatchFreshnessProbe(clock, moment -> listener.accept(new NodeEvent.NodesSyncedUpTo(moment)));
        return new WatchedResource<>(
                ApiResource.NODES,
                /* isOptional= */ false,
                freshness,
                NodeDecoder::new,
                new EventListener<>(
                        () -> new PagedList<>(freshness, clock.instant(), NODE_LIST, listener),
                        NodeEvent.NodeSeen::new,
                        node -> new NodeEvent.NodeRemoved(node.name(), node.resourceVersion()),
                        NodeEvent.NodesBookmark::new,
                        listener),
                Node::name,
                Node::resourceVersion);
    }

    static WatchedResource<Pod> pods(InstantSource clock, PodReflectorAccess access, Consumer<ClusterEvent> listener) {
        WatchFreshnessProbe freshness =
                new WatchFreshnessProbe(clock, moment -> listener.accept(new PodEvent.PodsSyncedUpTo(moment)));
        return new WatchedResource<>(
                ApiResource.PODS,
                access == PodReflectorAccess.OPTIONAL,
                freshness,
                PodStateDecoder::new,
                new EventListener<>(
                        () -> new PagedList<>(freshness, clock.instant(), POD_LIST, listener),
                        PodEvent.PodSeen::new,
                        PodStateDecoder::removal,
                        PodEvent.PodsBookmark::new,
                        listener),
                Pod::name,
                Pod::resourceVersion);
    }

    /**
     * Returns an optional kind of object: the gateway also works without it. Every object is kept together with its
     * metadata. The gateway uses the objects without a proof that they are current.
     */
    static <T> WatchedResource<DecodedObject<T>> optional(
            ApiResource resource,
            InstantSource clock,
            Supplier<ObjectDecoder<DecodedObject<T>>> decoders,
            ObjectListener<DecodedObject<T>> listener) {
        return new WatchedResource<>(
                resource,
                /* isOptional= */ true,
                WatchFreshnessProbe.withoutReads(clock),
                decoders,
                listener,
                object -> object.meta().fullName(),
                object -> object.meta().resourceVersion());
    }

    /**
     * Publishes the beginning of a list only when the first page has arrived. If the API server does not answer,
     * nothing is published.
     */
    private static final class PagedList<T> implements ListHandler<T> {
        private final WatchFreshnessProbe freshness;
        private final Instant start;
        private final ListEvents<T> events;
        private final Consumer<ClusterEvent> listener;
        private boolean begun;

        PagedList(WatchFreshnessProbe freshness, Instant start, ListEvents<T> events, Consumer<ClusterEvent> listener) {
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
