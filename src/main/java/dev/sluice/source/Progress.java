package dev.sluice.source;

import dev.sluice.bus.message.WatchStatus;
import dev.sluice.event.PassedOver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how well the source is heard: every change at once, mere signs of life once a second. A problem is logged when
 * it begins and when it is over, not at every attempt. Has one owner.
 */
public final class Progress {

    private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
    private static final Duration BETWEEN_SIGNS_OF_LIFE = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Consumer<WatchStatus> told;
    private WatchStatus status;
    private Instant lastTold = Instant.EPOCH;

    public Progress(WatchStatus status, InstantSource clock, Consumer<WatchStatus> told) {
        this.clock = clock;
        this.told = told;
        this.status = status;
    }

    public void listed(int objects) {
        WatchStatus before = status;
        Instant now = clock.instant();
        tell(before.listed(now), now);
        LOG.atInfo()
                .addKeyValue("source", status.source())
                .addKeyValue("objects", objects)
                .log(before.isSynced() ? "The cluster was listed again" : "The cluster was listed");
    }

    public void heard() {
        Instant now = clock.instant();
        boolean recovered = !status.problem().isEmpty();
        if (recovered) {
            LOG.atInfo().addKeyValue("source", status.source()).log("The cluster is heard again");
        }
        if (recovered || !now.isBefore(lastTold.plus(BETWEEN_SIGNS_OF_LIFE))) {
            tell(status.heard(now), now);
        }
    }

    /** The source lets itself be asked, but has told nothing yet: what was wrong may still be. */
    public void answered() {
        Instant now = clock.instant();
        tell(status.answered(now), now);
    }

    /** Nobody needs what the account may not list. */
    public void withheld(String answer) {
        if (!status.isWithheld()) {
            LOG.atInfo()
                    .addKeyValue("source", status.source())
                    .addKeyValue("answer", answer)
                    .log("The account may not list these, and no decision needs them: what they take is not known");
        }
        tell(status.withheld(), clock.instant());
    }

    /** Told with the next sign of life, however many follow each other. */
    public void passedOver(PassedOver newest) {
        if (!status.passedOver().equals(newest)) {
            status = status.passedOver(newest);
        }
    }

    public void failed(String problem) {
        if (!status.problem().equals(problem)) {
            LOG.atWarn()
                    .addKeyValue("source", status.source())
                    .addKeyValue("problem", problem)
                    .log(
                            status.isSynced()
                                    ? "The cluster cannot be read; what is known stays in use"
                                    : "The cluster cannot be read; nothing is known of it yet");
        }
        tell(status.failed(problem), clock.instant());
    }

    private void tell(WatchStatus next, Instant now) {
        status = next;
        lastTold = now;
        told.accept(next);
    }
}
