package dev.sluice.kube.watch;

import dev.sluice.cluster.UnreadableObjects;
import dev.sluice.kube.client.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the objects of one kind that could not be read. Whoever may write objects decides how many these are, so their
 * names and log lines are bounded. Has one owner.
 */
final class UnreadableObjectTracker {

    private static final Logger LOG = LoggerFactory.getLogger(UnreadableObjectTracker.class);

    /** Names beyond this number are not kept; their objects are only in the total. */
    private static final int MAX_NAMES = 4_096;

    /** A pod that is updated a thousand times must not fill the log. */
    private static final int MAX_LINES = 10;

    private static final Duration LOG_WINDOW = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Set<String> names = new LinkedHashSet<>();
    private Set<String> listedNames = new LinkedHashSet<>();
    private UnreadableObjects summary = UnreadableObjects.NONE;
    private boolean changed;
    private long total;
    private Instant windowStart = Instant.MIN;
    private int lines;
    private long suppressed;

    UnreadableObjectTracker(InstantSource clock) {
        this.clock = clock;
    }

    void listBegins() {
        listedNames = new LinkedHashSet<>();
    }

    /** An object of the list that has begun. */
    void inList(ObjectMeta object, String problem) {
        add(object, listedNames);
        log(problem);
    }

    void listEnds() {
        names = listedNames;
        changed = true;
        listBegins();
    }

    /** An object of a watch event. */
    void inWatch(ObjectMeta object, String problem) {
        add(object, names);
        log(problem);
    }

    private static void add(ObjectMeta object, Set<String> to) {
        if (to.size() < MAX_NAMES) {
            to.add(object.fullName());
        }
    }

    /** The object of this name was read, or is gone. */
    void resolved(String name) {
        if (!names.isEmpty()) {
            changed |= names.remove(name);
        }
    }

    /** Returns the same value while nothing has changed. */
    UnreadableObjects summary() {
        if (changed) {
            changed = false;
            List<String> some =
                    names.stream().limit(UnreadableObjects.MAX_NAMES).toList();
            summary = new UnreadableObjects(total, names.size(), some);
        }
        return summary;
    }

    /** Counts and logs an object, which may be of another kind. */
    void log(String problem) {
        total++;
        changed = true;
        Instant now = clock.instant();
        if (Duration.between(windowStart, now).compareTo(LOG_WINDOW) >= 0) {
            windowStart = now;
            lines = 0;
        }
        if (lines == MAX_LINES) {
            suppressed++;
            return;
        }
        lines++;
        LOG.atWarn()
                .addKeyValue("problem", UnreadableObjects.printable(problem))
                .addKeyValue("unsaid", suppressed)
                .log("skipped malformed object from the API server");
        suppressed = 0;
    }
}
