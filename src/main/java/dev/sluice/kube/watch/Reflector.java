package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerBackoff;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.client.ApiServerWatchEvent;
import dev.sluice.kube.decode.ObjectMeta;
import dev.sluice.kube.watch.ReflectorStatusReport.Withheld;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists all objects of one kind, then watches them from the resourceVersion of the list. When a watch ends, the next
 * watch continues from the last resourceVersion that was seen. The reflector lists again only if that resourceVersion
 * has expired or cannot be trusted, or if the state has not been proved to be current for some time.
 *
 * <p>{@link #run()} blocks, so it needs a separate thread. It ends when that thread is interrupted. The same thread
 * calls the listener, so events keep their order.
 */
final class Reflector<T> implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    /**
     * If this many watches in a row end early and without events, the resourceVersion is no longer trusted. A single
     * watch may have failed by chance.
     */
    private static final int MAX_EMPTY_WATCHES = 2;

    private final ListWatch<T> listWatch;
    private final WatchedResource<T> watched;
    private final UnreadableObjectTracker unreadable;
    private final ReflectorRelistPolicy relistPolicy;
    private final WatchedResource.ObjectListener<T> listener;
    private final ReflectorStatusReport status;
    private final ApiServerBackoff backoff;
    private final ApiServerBackoff forbiddenBackoff;

    /** The newest resourceVersion that was seen; 0 if the objects have to be listed. */
    private long resourceVersion;

    private long listedResourceVersion;
    private boolean reachable;
    private boolean productive;
    private int emptyWatches;
    /** True if another thread has requested a relist, because events may have been lost. */
    private volatile boolean relistRequested;

    Reflector(ListWatch<T> listWatch, ReflectorRelistPolicy relistPolicy, ReflectorStatusReport status) {
        this.listWatch = listWatch;
        this.watched = listWatch.watched();
        this.unreadable = listWatch.unreadable();
        this.relistPolicy = relistPolicy;
        this.listener = watched.listener();
        this.status = status;
        ReflectorTimings.BackoffLimits limits = listWatch.timings().backoff();
        this.backoff = new ApiServerBackoff(limits.initial(), limits.max(), ThreadLocalRandom.current());
        this.forbiddenBackoff =
                new ApiServerBackoff(limits.initialForbidden(), limits.maxForbidden(), ThreadLocalRandom.current());
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(attempt());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Requests a relist. It begins at the next event or bookmark at which {@link ReflectorRelistPolicy} allows a list.
     * Any thread may call this method.
     */
    void requestRelist() {
        relistRequested = true;
    }

    /** Lists or watches once. Returns the time to wait before the next attempt. */
    private Duration attempt() {
        try {
            return listOrWatch() ? Duration.ZERO : backoff.next();
        } catch (ApiFailure answer) {
            if (watched.isOptional() && (answer.isForbidden() || answer.isNotFound())) {
                resourceVersion = 0;
                status.withheld(
                        String.valueOf(answer.getMessage()),
                        answer.isForbidden() ? Withheld.FORBIDDEN : Withheld.ABSENT);
                return forbiddenBackoff.next();
            }
            return failed(answer) ? Duration.ZERO : backoff.next();
        } catch (IOException failure) {
            return failed(failure) ? Duration.ZERO : backoff.next();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("failed to read from the API server because of a fault of the gateway");
            status.failed("a fault of ours: " + fault);
            emptyWatch();
            return backoff.next();
        }
    }

    /** Lists or watches once. Returns false if the next attempt has to wait for the backoff. */
    private boolean listOrWatch() throws IOException {
        if (resourceVersion == 0) {
            return relistPolicy.isAllowed() && list();
        }
        // A list discards the resourceVersion. If the API server cannot be reached, no list is due, because a watch can
        // continue from the resourceVersion after the outage.
        boolean due = (reachable && relistPolicy.isDue()) || isRequestedListAllowed();
        return due ? list() : watch();
    }

    private boolean isRequestedListAllowed() {
        return relistRequested && relistPolicy.isAllowed();
    }

    private boolean list() throws IOException {
        resourceVersion = 0;
        relistRequested = false;
        relistPolicy.listBegins();
        ApiServerListPager.Listed listed = listWatch.list(listener.list());
        resourceVersion = listed.resourceVersion();
        listedResourceVersion = resourceVersion;
        watched.freshness().reached(resourceVersion);
        relistPolicy.listEnds();
        forbiddenBackoff.reset();
        status.unreadable(unreadable.summary());
        status.listed(listed.objects());
        return true;
    }

    /**
     * Watches until the watch ends. Returns true if the watch delivered an event, or lasted for at least half of the
     * requested time.
     */
    private boolean watch() throws IOException {
        productive = false;
        reachable = false;
        Instant start = relistPolicy.now();
        try (ListWatch<T>.WatchStream stream = listWatch.watch(resourceVersion)) {
            reachable = true;
            status.answered();
            Optional<ApiServerWatchEvent<T>> event = stream.next();
            while (isWatchNeeded() && event.isPresent() && handle(event.get())) {
                event = stream.next();
            }
        }
        if (!productive && lastedLongEnough(start)) {
            // A watch without events that lasted long enough has not failed: nothing has changed.
            observed(resourceVersion);
        } else if (!productive && !isRequestedListAllowed()) {
            emptyWatch();
        }
        return productive;
    }

    /**
     * Returns true if the watch should continue. If a relist was requested but is not allowed yet, the watch continues,
     * so that events are still delivered.
     */
    private boolean isWatchNeeded() {
        return !isRequestedListAllowed() && !relistPolicy.isDue();
    }

    /**
     * Returns true if the watch lasted for at least half of the requested time. If such a watch has no events, nothing
     * has changed. If a shorter watch has no events, the server has ended it early.
     */
    private boolean lastedLongEnough(Instant start) {
        Duration half = listWatch.timings().watchDuration().dividedBy(2);
        return Duration.between(start, relistPolicy.now()).compareTo(half) >= 0;
    }

    /** Handles an event. Returns false if the watch has to end. */
    private boolean handle(ApiServerWatchEvent<T> event) throws IOException {
        switch (event) {
            case ApiServerWatchEvent.AddedOrModified<T>(T object) -> {
                unreadable.resolved(watched.nameOf().apply(object));
                listener.seen(object);
                observed(watched.versionOf().applyAsLong(object));
            }
            case ApiServerWatchEvent.Deleted<T>(ObjectMeta object) -> {
                unreadable.resolved(object.fullName());
                listener.removed(object);
                observed(object.resourceVersion());
            }
            case ApiServerWatchEvent.Bookmark<T>(long mark) -> {
                return bookmark(mark);
            }
            case ApiServerWatchEvent.MalformedEvent<T>(ObjectMeta object, String problem) -> {
                // The last valid state of the object stays in use, because an old state is better than no state.
                unreadable.inWatch(object, problem);
                observed(object.resourceVersion());
            }
            case ApiServerWatchEvent.UnknownEvent<T>(String problem) -> unreadable.log(problem);
            case ApiServerWatchEvent.WatchError<T>(var answer) -> throw new ApiFailure(answer);
        }
        return true;
    }

    /**
     * Records a resourceVersion that was seen. Events may be repeated or come out of order, so the recorded
     * resourceVersion never decreases.
     */
    private void observed(long seen) {
        resourceVersion = Math.max(resourceVersion, seen);
        watched.freshness().reached(resourceVersion);
        productive = true;
        emptyWatches = 0;
        backoff.reset();
        status.unreadable(unreadable.summary());
        status.heard();
    }

    /**
     * Handles a bookmark. Returns false if the watch has to end, because the bookmark has a lower resourceVersion than
     * an earlier event. The API server has then lost changes, for example because it was restored from a backup.
     */
    private boolean bookmark(long mark) {
        if (mark != 0 && mark < resourceVersion) {
            LOG.atWarn()
                    .addKeyValue("seen", resourceVersion)
                    .addKeyValue("bookmark", mark)
                    .log("the API server has returned an older version; the cluster is listed again");
            resourceVersion = 0;
            return false;
        }
        long believed = watched.freshness().believed(mark);
        listener.bookmark(believed);
        observed(believed);
        return true;
    }

    /** Handles a failure. Returns true if the next attempt may follow at once, without the backoff. */
    private boolean failed(IOException failure) {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        switch (failure) {
            case ApiFailure answer
            when answer.isExpired() -> {
                return expired(answer);
            }
            case JsonEOFException _ -> status.failed("the connection ended within an event");
            case JsonProcessingException broken -> {
                status.failed("the answer is no JSON: " + broken.getOriginalMessage());
                emptyWatch();
            }
            case ApiFailure _, ApiServerBodyStream.IdleTimeout _ -> {
                status.failed(String.valueOf(failure.getMessage()));
                emptyWatch();
            }
            default -> status.failed(String.valueOf(failure.getMessage()));
        }
        return false;
    }

    /**
     * Handles an expired resourceVersion. Returns true if the objects may be listed at once, without the backoff. This
     * is the case if the watch has delivered events since the last list. The expiry is then normal, because the API
     * server regularly removes old versions by compaction.
     */
    private boolean expired(ApiFailure answer) {
        LOG.atInfo()
                .addKeyValue("answer", answer.getMessage())
                .log("the watch has expired; the cluster is listed again");
        boolean seenSinceListed = resourceVersion > listedResourceVersion;
        resourceVersion = 0;
        if (seenSinceListed) {
            relistPolicy.allowAtOnce();
        }
        return seenSinceListed;
    }

    private void emptyWatch() {
        emptyWatches++;
        if (emptyWatches >= MAX_EMPTY_WATCHES) {
            emptyWatches = 0;
            resourceVersion = 0;
        }
    }
}
