package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.sluice.event.ClusterEvent;
import dev.sluice.kube.list.ObjectMeta;
import dev.sluice.kube.list.WatchEvent;
import dev.sluice.kube.transport.ApiFailure;
import dev.sluice.kube.transport.Backoff;
import dev.sluice.kube.transport.BodyStream;
import dev.sluice.kube.transport.ListPager;
import dev.sluice.source.Progress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of all objects of one kind: lists them, then watches from the version of the list, and comes back
 * from the last version seen whenever the watch ends. It lists again only when that version has expired or is in doubt,
 * or when nothing has proved for a while that all was told.
 *
 * <p>{@link #run()} blocks, so it has a thread of its own and ends when that is interrupted. This one thread reads and
 * tells, so events are told in the order in which they came.
 */
final class Reflector<T> implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    /** One watch that yields nothing may be bad luck; after the second in a row the version is in doubt. */
    private static final int FRUITLESS_WATCHES = 2;

    private final ListWatch<T> source;
    private final Relisting relisting;
    private final Consumer<ClusterEvent> listener;
    private final Progress progress;
    private final Backoff backoff;
    private final Backoff withheld;

    /** The last version seen; 0 when a list is due. */
    private long version;

    private long listedVersion;
    private boolean reachable;
    private boolean fruitful;
    private int fruitlessWatches;
    /** Set by others: what was told may have got lost. */
    private volatile boolean doubted;

    Reflector(ListWatch<T> source, Relisting relisting, Consumer<ClusterEvent> listener, Progress progress) {
        this.source = source;
        this.relisting = relisting;
        this.listener = listener;
        this.progress = progress;
        Pace.Pauses pauses = source.pace().pauses();
        this.backoff = new Backoff(pauses.shortest(), pauses.longest(), ThreadLocalRandom.current());
        this.withheld = new Backoff(pauses.shortestWithheld(), pauses.longestWithheld(), ThreadLocalRandom.current());
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pauseAfterAnAttempt());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lists again as soon as the watch says anything, which it does every minute. From any thread. */
    void doubt() {
        doubted = true;
    }

    /** One list or one watch, and how long to wait before the next. */
    private Duration pauseAfterAnAttempt() {
        try {
            return attempt() ? Duration.ZERO : backoff.next();
        } catch (ApiFailure refusal) {
            if (refusal.isForbidden() && source.kind().use() == PodsUse.DISPLAY) {
                version = 0;
                progress.withheld(String.valueOf(refusal.getMessage()));
                return withheld.next();
            }
            return failed(refusal) ? Duration.ZERO : backoff.next();
        } catch (IOException failure) {
            return failed(failure) ? Duration.ZERO : backoff.next();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("A fault while reading from the API server");
            progress.failed("a fault of ours: " + fault);
            fruitless();
            return backoff.next();
        }
    }

    /** False when the next attempt should wait a little. */
    private boolean attempt() throws IOException {
        if (version == 0) {
            return relisting.isAllowed() && lists();
        }
        // A server that is away can be followed from where it was left, so nothing is given up for a list that fails.
        boolean due = (reachable && relisting.isDue()) || (doubted && relisting.isAllowed());
        return due ? lists() : watches();
    }

    private boolean lists() throws IOException {
        version = 0;
        doubted = false;
        relisting.listBegins();
        ListPager.Listed listed = source.list(source.kind().listing(listener));
        version = listed.resourceVersion();
        listedVersion = version;
        source.kind().horizon().reached(version);
        relisting.listEnds();
        withheld.reset();
        progress.passedOver(source.unread().passedOver());
        progress.listed(listed.objects());
        return true;
    }

    /** True when the watch ended as watches do: after it had told something, or when its time was over. */
    private boolean watches() throws IOException {
        fruitful = false;
        reachable = false;
        Instant began = relisting.now();
        try (ListWatch<T>.Stream stream = source.watch(version)) {
            reachable = true;
            progress.answered();
            Optional<WatchEvent<T>> event = stream.next();
            while (isOfUse() && event.isPresent() && tell(event.get())) {
                event = stream.next();
            }
        }
        if (!fruitful && lasted(began)) {
            // Where nothing happens, there is nothing to tell.
            heard(version);
        } else if (!fruitful && !doubted) {
            fruitless();
        }
        return fruitful;
    }

    private boolean isOfUse() {
        return !doubted && !relisting.isDue();
    }

    /** A watch that a server ends at once, again and again, is none. */
    private boolean lasted(Instant began) {
        Duration half = source.pace().watch().dividedBy(2);
        return Duration.between(began, relisting.now()).compareTo(half) >= 0;
    }

    /** False when the watch is of no more use. */
    private boolean tell(WatchEvent<T> event) throws IOException {
        switch (event) {
            case WatchEvent.Seen<T>(T object) -> {
                source.unread().over(source.kind().nameOf(object));
                listener.accept(source.kind().seen(object));
                heard(source.kind().versionOf(object));
            }
            case WatchEvent.Removed<T>(ObjectMeta object) -> {
                source.unread().over(object.fullName());
                listener.accept(source.kind().removed(object));
                heard(object.resourceVersion());
            }
            case WatchEvent.Bookmark<T>(long mark) -> {
                return passed(mark);
            }
            case WatchEvent.UnreadableEvent<T>(ObjectMeta object, String problem) -> {
                // What was known of it before still counts: that is nearer to the truth than nothing.
                source.unread().ofWatch(object, problem);
                heard(object.resourceVersion());
            }
            case WatchEvent.Unusable<T>(String problem) -> source.unread().unknown(problem);
            case WatchEvent.WatchError<T>(var status) -> throw new ApiFailure(status);
        }
        return true;
    }

    /** Events may be replayed or come out of order; what was seen stays seen. */
    private void heard(long seen) {
        version = Math.max(version, seen);
        source.kind().horizon().reached(version);
        fruitful = true;
        fruitlessWatches = 0;
        backoff.reset();
        progress.passedOver(source.unread().passedOver());
        progress.heard();
    }

    /** A server that is behind what it told us has lost its past, restored from a backup for example. */
    private boolean passed(long mark) {
        if (mark != 0 && mark < version) {
            LOG.atWarn()
                    .addKeyValue("seen", version)
                    .addKeyValue("bookmark", mark)
                    .log("The API server went back in time; the cluster is listed again");
            version = 0;
            return false;
        }
        listener.accept(source.kind().bookmark(mark));
        heard(mark);
        return true;
    }

    /** True when nothing speaks against going on at once. */
    private boolean failed(IOException failure) {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        switch (failure) {
            case ApiFailure told
            when told.isExpired() -> {
                return expired(told);
            }
            case JsonEOFException _ -> progress.failed("the connection ended within an event");
            case JsonProcessingException broken -> {
                progress.failed("the answer is no JSON: " + broken.getOriginalMessage());
                fruitless();
            }
            case ApiFailure _, BodyStream.Silence _ -> {
                progress.failed(String.valueOf(failure.getMessage()));
                fruitless();
            }
            default -> progress.failed(String.valueOf(failure.getMessage()));
        }
        return false;
    }

    /** Nothing is wrong where a watch had told something: the server has only forgotten what we saw last. */
    private boolean expired(ApiFailure told) {
        LOG.atInfo().addKeyValue("answer", told.getMessage()).log("The watch has expired; the cluster is listed again");
        boolean toldSinceListed = version > listedVersion;
        version = 0;
        if (toldSinceListed) {
            relisting.atOnce();
        }
        return toldSinceListed;
    }

    private void fruitless() {
        fruitlessWatches++;
        if (fruitlessWatches >= FRUITLESS_WATCHES) {
            fruitlessWatches = 0;
            version = 0;
        }
    }
}
