package dev.sluice.kube.watch;

import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.ObjectMeta;
import dev.sluice.kube.watch.WatchedResource.ListHandler;
import dev.sluice.kube.watch.WatchedResource.ObjectListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current objects of an optional kind: the gateway also works without them. The thread of the reflector changes
 * this set, and any thread may read it.
 */
final class ReflectedObjects<T> implements ObjectListener<DecodedObject<T>>, ReflectorStatusReport {

    private static final Logger LOG = LoggerFactory.getLogger(ReflectedObjects.class);

    private final String kind;
    private final String effect;
    private final Predicate<T> kept;
    private final int most;
    private final Runnable changed;
    private Map<String, T> objects = new HashMap<>();
    private State state = State.UNREAD;
    private boolean isIncomplete;
    private boolean isTooLarge;

    /** Describes what is known about the objects. */
    enum State {
        /** The API server has not answered yet. */
        UNREAD,
        KNOWN,
        /** The account may not list the objects. */
        FORBIDDEN,
        /** The API server does not serve this kind of object. */
        ABSENT
    }

    /**
     * The objects at one point in time.
     *
     * @param isComplete false if an object could not be read, or if there are too many objects
     */
    record Contents<T>(State state, List<T> objects, boolean isComplete) {

        /** Returns true if {@code objects} contains all objects of the cluster. */
        boolean areAll() {
            return state == State.ABSENT || (state == State.KNOWN && isComplete);
        }
    }

    /**
     * Creates an empty set.
     *
     * @param effect what happens if the account may not list the objects, as a text for the log
     * @param kept a predicate that is true for the objects that are needed
     * @param most the largest number of objects that are kept
     * @param changed a callback that is called on the thread of the reflector after each change
     */
    ReflectedObjects(String kind, String effect, Predicate<T> kept, int most, Runnable changed) {
        this.kind = kind;
        this.effect = effect;
        this.kept = kept;
        this.most = most;
        this.changed = changed;
    }

    synchronized Contents<T> contents() {
        return new Contents<>(state, List.copyOf(objects.values()), !isIncomplete && !isTooLarge);
    }

    /** Returns the objects by {@code namespace/name}. */
    synchronized Map<String, T> byName() {
        return Map.copyOf(objects);
    }

    @Override
    public ListHandler<DecodedObject<T>> list() {
        Map<String, T> listed = new HashMap<>();
        return new ListHandler<>() {
            private boolean overflowed;

            @Override
            public void page(List<DecodedObject<T>> page) {
                page.forEach(object -> overflowed |= !put(object, listed));
            }

            @Override
            public void complete(long resourceVersion) {
                change(() -> {
                    objects = listed;
                    isTooLarge = overflowed;
                    state = State.KNOWN;
                });
            }
        };
    }

    /** Puts the object into the map if it is needed. Returns false if the map is full. */
    private boolean put(DecodedObject<T> object, Map<String, T> into) {
        String name = object.meta().fullName();
        if (!kept.test(object.value())) {
            into.remove(name);
        } else if (into.size() < most || into.containsKey(name)) {
            into.put(name, object.value());
        } else {
            return false;
        }
        return true;
    }

    @Override
    public void seen(DecodedObject<T> object) {
        change(() -> isTooLarge |= !put(object, objects));
    }

    @Override
    public void removed(ObjectMeta object) {
        change(() -> objects.remove(object.fullName()));
    }

    @Override
    public void bookmark(long resourceVersion) {}

    private void change(Runnable change) {
        synchronized (this) {
            change.run();
        }
        changed.run();
    }

    @Override
    public void withheld(String answer, Withheld why) {
        State next = why == Withheld.FORBIDDEN ? State.FORBIDDEN : State.ABSENT;
        if (contents().state() == next) {
            return;
        }
        if (next == State.FORBIDDEN) {
            LOG.atInfo()
                    .addKeyValue("kind", kind)
                    .addKeyValue("answer", answer)
                    .log("the account may not list these objects; " + effect);
        }
        change(() -> {
            objects = new HashMap<>();
            state = next;
        });
    }

    @Override
    public void unreadable(MalformedClusterObjects newest) {
        boolean any = !newest.names().isEmpty();
        if (any != isIncomplete) {
            change(() -> isIncomplete = any);
        }
    }

    /**
     * Keeps the known objects. Logs the problem only at debug level, because the watches of nodes and pods already
     * report problems of the API server.
     */
    @Override
    public void failed(String problem) {
        LOG.atDebug().addKeyValue("kind", kind).addKeyValue("problem", problem).log("could not read these objects");
    }

    @Override
    public void listed(int listed) {}

    @Override
    public void heard() {}

    @Override
    public void answered() {}
}
