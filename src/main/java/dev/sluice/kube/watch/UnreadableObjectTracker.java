package dev.sluice.kube.watch;

import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.kube.decode.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the malformed objects of one kind. Users can create any number of such objects, so the number of names and of
 * log lines is limited. It is not thread-safe.
 */
final class UnreadableObjectTracker {

    private static final Logger LOG = LoggerFactory.getLogger(UnreadableObjectTracker.class);

    /** The maximum number of names that are kept. Malformed objects above this limit are only counted. */
    private static final int MAX_NAMES = 4_096;

    /**
     * The maximum number of log lines in {@link #LOG_WINDOW}. Without the limit, a malformed pod that is updated a
     * thousand times would fill the log.
     */
    private static final int MAX_LINES = 10;

    private static final Duration LOG_WINDOW = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Set<String> names = new LinkedHashSet<>();
    private Set<String> listedNames = new LinkedHashSet<>();
    private MalformedClusterObjects summary = MalformedClusterObjects.NONE;
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

    /** Records a malformed object of the current list. */
    void inList(ObjectMeta object, String problem) {
        add(object, listedNames);
        log(problem);
    }

    void listEnds() {
        names = listedNames;
        changed = true;
        listBegins();
    }

    /** Records a malformed object of a watch event. */
    void inWatch(ObjectMeta object, String problem) {
        add(object, names);
        log(problem);
    }

    private static void add(ObjectMeta object, Set<String> to) {
        if (to.size() < MAX_NAMES) {
            to.add(object.fullName());
        }
    }

    /** Removes this name, because the object is now valid or was deleted. */
    void resolved(String name) {
        if (!names.isEmpty()) {
            changed |= names.remove(name);
        }
    }

    /** Returns the summary of the malformed objects. Each call returns the same object until the summary changes. */
    MalformedClusterObjects summary() {
        if (changed) {
            changed = false;
            List<String> some =
                    names.stream().limit(MalformedClusterObjects.MAX_NAMES).toList();
            summary = new MalformedClusterObjects(total, names.size(), some);
        }
        return summary;
    }

    /**
     * Counts and logs a problem without recording the name of an object. The object may have no name, or may be of
     * another kind.
     */
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
                .addKeyValue("problem", MalformedClusterObjects.printable(problem))
                .addKeyValue("suppressed", suppressed)
                .log("skipped malformed object from the API server");
        suppressed = 0;
    }
}
