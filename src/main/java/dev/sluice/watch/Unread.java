package dev.sluice.watch;

import dev.sluice.event.PassedOver;
import dev.sluice.kube.list.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one kind that could not be read. Whoever may write objects decides how many there are, so what is kept
 * and what is logged of them is bounded. Has one owner.
 */
final class Unread {

    private static final Logger LOG = LoggerFactory.getLogger(Unread.class);

    /** So many are told apart; those beyond stand only in the total. */
    private static final int MOST_NAMES = 4_096;

    /** A pod that is updated a thousand times must not fill the log: the first lines say what is wrong. */
    private static final int MOST_LINES = 10;

    private static final Duration LINES_OF = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Set<String> names = new LinkedHashSet<>();
    private Set<String> listed = new LinkedHashSet<>();
    private PassedOver told = PassedOver.NONE;
    private boolean changed;
    private long total;
    private Instant linesSince = Instant.MIN;
    private int lines;
    private long unsaid;

    Unread(InstantSource clock) {
        this.clock = clock;
    }

    void listBegins() {
        listed = new LinkedHashSet<>();
    }

    /** An object of the list that has begun. */
    void ofList(ObjectMeta object, String problem) {
        add(object, listed);
        say(problem);
    }

    void listEnds() {
        names = listed;
        changed = true;
        listBegins();
    }

    /** An object that the watch tells of. */
    void ofWatch(ObjectMeta object, String problem) {
        add(object, names);
        say(problem);
    }

    /** Something that is not even known to be an object of this kind. */
    void unknown(String problem) {
        say(problem);
    }

    private static void add(ObjectMeta object, Set<String> to) {
        if (to.size() < MOST_NAMES) {
            to.add(object.fullName());
        }
    }

    /** This one was read, or is gone. */
    void over(String name) {
        if (!names.isEmpty()) {
            changed |= names.remove(name);
        }
    }

    /** The same as before while nothing has changed. */
    PassedOver passedOver() {
        if (changed) {
            changed = false;
            List<String> some = names.stream().limit(PassedOver.MOST_NAMES).toList();
            told = new PassedOver(total, names.size(), some);
        }
        return told;
    }

    private void say(String problem) {
        total++;
        changed = true;
        Instant now = clock.instant();
        if (linesSince.equals(Instant.MIN) || Duration.between(linesSince, now).compareTo(LINES_OF) >= 0) {
            linesSince = now;
            lines = 0;
        }
        if (lines == MOST_LINES) {
            unsaid++;
            return;
        }
        lines++;
        LOG.atWarn()
                .addKeyValue("problem", PassedOver.printable(problem))
                .addKeyValue("unsaid", unsaid)
                .log("An object from the API server is passed over");
        unsaid = 0;
    }
}
