package dev.sluice.kube.watch;

import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.MalformedClusterObjects;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the status of the watch of one kind of object. A change is published at once, and an unchanged status once
 * a second. A problem is logged when it begins and when it ends, and not at every attempt. It is not thread-safe.
 */
final class WatchStatusReporter implements ReflectorStatusReport {

    private static final Logger LOG = LoggerFactory.getLogger(WatchStatusReporter.class);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Consumer<WatchStatusMessage> listener;
    private WatchStatusMessage status;
    private Instant lastReport = Instant.EPOCH;

    WatchStatusReporter(WatchStatusMessage status, InstantSource clock, Consumer<WatchStatusMessage> listener) {
        this.clock = clock;
        this.listener = listener;
        this.status = status;
    }

    @Override
    public void listed(int objects) {
        WatchStatusMessage before = status;
        Instant now = clock.instant();
        report(before.listed(now), now);
        LOG.atInfo()
                .addKeyValue("source", status.source())
                .addKeyValue("objects", objects)
                .log(before.isSynced() ? "the cluster was listed again" : "the cluster was listed");
    }

    @Override
    public void heard() {
        Instant now = clock.instant();
        boolean recovered = !status.problem().isEmpty();
        if (recovered) {
            LOG.atInfo().addKeyValue("source", status.source()).log("watch re-established");
        }
        if (recovered || !now.isBefore(lastReport.plus(REPORT_INTERVAL))) {
            report(status.heard(now), now);
        }
    }

    @Override
    public void answered() {
        Instant now = clock.instant();
        report(status.answered(now), now);
    }

    @Override
    public void withheld(String answer, Withheld why) {
        if (!status.isWithheld()) {
            LOG.atInfo()
                    .addKeyValue("source", status.source())
                    .addKeyValue("answer", answer)
                    .log("the account may not list these objects; no decision needs them, and their usage is unknown");
        }
        report(status.withheld(), clock.instant());
    }

    /** Records the unreadable objects. They are published with the next status, and not at each change. */
    @Override
    public void unreadable(MalformedClusterObjects newest) {
        if (!status.unreadable().equals(newest)) {
            status = status.unreadable(newest);
        }
    }

    @Override
    public void failed(String problem) {
        if (!status.problem().equals(problem)) {
            LOG.atWarn()
                    .addKeyValue("source", status.source())
                    .addKeyValue("problem", problem)
                    .log(
                            status.isSynced()
                                    ? "the cluster cannot be read; the last known state stays in use"
                                    : "the cluster cannot be read; no state is known yet");
        }
        report(status.failed(problem), clock.instant());
    }

    private void report(WatchStatusMessage next, Instant now) {
        status = next;
        lastReport = now;
        listener.accept(next);
    }
}
