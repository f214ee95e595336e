package dev.sluice.reload;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.Topic;
import dev.sluice.files.FileWatcher;
import dev.sluice.reload.ReloadedPolicySource.PolicyReading;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a new policy when the files of the policy have changed and are valid. While the files are invalid, the last
 * valid policy stays in use.
 */
public final class PolicyVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyVerticle.class);

    /**
     * The time between two polls while the files change. While they do not change, the time is twice as long. A change
     * is detected after at most 1 s and read 0.5 s later, so a new policy is in use within 2 s after its files have
     * changed on this machine.
     */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private static final int MAX_LOGGED = 20;

    private final ReloadedPolicySource source;
    private final FileWatcher<PolicyReading, RuntimeException> watcher;
    private final Duration pollInterval;
    private ActivePolicy active;
    private boolean refused;
    private boolean stopped;

    /**
     * Creates the verticle.
     *
     * @param first the policy that is active at the start
     */
    public PolicyVerticle(ReloadedPolicySource source, ActivePolicy first) {
        this(source, first, POLL_INTERVAL);
    }

    PolicyVerticle(ReloadedPolicySource source, ActivePolicy first, Duration pollInterval) {
        this.source = source;
        this.watcher = new FileWatcher<>(source::files, source::read, FileWatcher.SettlingRule.AS_ONE);
        this.pollInterval = pollInterval;
        this.active = first;
    }

    @Override
    public Future<?> start() {
        if (!source.files().isEmpty()) {
            LOG.atInfo().addKeyValue("generation", active.generation()).log("the policy is active");
            schedulePoll();
        }
        return Future.succeededFuture();
    }

    private void schedulePoll() {
        if (!stopped) {
            vertx.setTimer(
                    watcher.pause(pollInterval).toMillis(),
                    _ -> vertx.executeBlocking(watcher::poll).onComplete(this::polled));
        }
    }

    private void polled(AsyncResult<FileWatcher.Poll<PolicyReading>> result) {
        if (result.failed()) {
            refused(List.of(String.valueOf(result.cause())));
        } else if (result.result() instanceof FileWatcher.Poll.Changed<PolicyReading>(var reading)) {
            read(reading);
        }
        schedulePoll();
    }

    private void read(PolicyReading reading) {
        switch (reading) {
            case PolicyReading.UsablePolicy usable -> {
                usable.waiting()
                        .forEach(what -> LOG.atWarn()
                                .addKeyValue("changed", what)
                                .log("a changed key of the configuration takes effect after a restart"));
                use(active.with(usable.policies(), usable.injector()));
                repaired();
            }
            case PolicyReading.UnusablePolicy refused -> refused(refused.problems());
        }
    }

    private void use(ActivePolicy next) {
        if (next.generation() != active.generation()) {
            active = next;
            Topic.POLICIES.publish(vertx, next);
            LOG.atInfo().addKeyValue("generation", next.generation()).log("a new policy is active");
        }
    }

    /**
     * Publishes that the files are valid again. Repaired files may contain the active policy, and then no new policy is
     * published.
     */
    private void repaired() {
        if (refused) {
            refused = false;
            LOG.atInfo()
                    .addKeyValue("generation", active.generation())
                    .log("the rejected configuration is valid again and active");
            Topic.POLICY_REPAIRED.publish(vertx, new Topic.PolicyRepaired());
        }
    }

    private void refused(List<String> problems) {
        refused = true;
        logged(problems)
                .forEach(problem -> LOG.atWarn()
                        .addKeyValue("generation", active.generation())
                        .addKeyValue("problem", problem)
                        .log("the changed configuration cannot be used; the last valid policy stays active"));
        Topic.POLICY_REFUSED.publish(vertx, new Topic.PolicyRefused(problems));
    }

    /** Returns the problems to log. A file can have tens of thousands of problems, so only the first are logged. */
    static List<String> logged(List<String> problems) {
        int left = problems.size() - MAX_LOGGED;
        return left <= 0
                ? problems
                : Stream.concat(
                                problems.stream().limit(MAX_LOGGED),
                                Stream.of("... and " + left + " more; sluice check prints all"))
                        .toList();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }
}
