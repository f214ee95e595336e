package dev.sluice.election;

import dev.sluice.bus.message.LeaseState;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps trying, and tells what came of it, until it is stopped. Runs on a thread of its own, which it blocks. */
final class Election implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    private final LeaderElector candidate;
    private final Duration pause;
    private final InstantSource clock;
    private final Consumer<LeaseState> told;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean leaving;
    private volatile boolean stopping;
    private LeaseState last = new LeaseState.Standby("");
    private String problem = "";

    Election(LeaderElector candidate, Duration pause, InstantSource clock, Consumer<LeaseState> told) {
        this.candidate = candidate;
        this.pause = pause;
        this.clock = clock;
        this.told = told;
    }

    /** What is held is kept until the stop; nothing new is taken by a process that is about to end. */
    void leave() {
        leaving = true;
    }

    /**
     * Ends the pause or the request in which {@code running} is, which is the thread of {@link #run}. It may begin to
     * release the lease as soon as it hears of the stop, so it is interrupted before it can hear of it: an interrupt
     * that came later would end the release, and the lease would have to run out.
     */
    void stop(Thread running) {
        stopping = true;
        running.interrupt();
        stop.countDown();
    }

    @Override
    public void run() {
        do {
            attempt();
        } while (!isStoppedWithinAPause());
        release();
    }

    private boolean isStoppedWithinAPause() {
        try {
            return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            return true;
        }
    }

    private void attempt() {
        if (leaving && !last.holdsAt(clock.instant())) {
            return;
        }
        try {
            tell(candidate.attempt());
            problem = "";
        } catch (RuntimeException failed) {
            // Of whatever kind, as from a proxy that answers in the API server's place: the next attempt may do.
            failed(failed);
        }
    }

    /** A lease that is held stays held until its time is over. */
    private void failed(RuntimeException failure) {
        boolean outrun = failure instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
        String now = String.valueOf(failure.getMessage());
        if (!outrun && !now.equals(problem) && !stopping) {
            problem = now;
            LOG.atWarn().addKeyValue("problem", now).log("The lease can neither be renewed nor taken");
        }
        if (!last.holdsAt(clock.instant())) {
            tell(new LeaseState.Standby(""));
        }
    }

    private void tell(LeaseState next) {
        boolean held = last instanceof LeaseState.Leading;
        switch (next) {
            case LeaseState.Leading _ when !held -> LOG.atInfo().log("This gateway holds the lease");
            case LeaseState.Standby(String holder)
            when held || !next.equals(last) ->
                LOG.atInfo().addKeyValue("holder", holder).log("This gateway stands by");
            case LeaseState.Leading _, LeaseState.Standby _ -> {}
        }
        last = next;
        told.accept(next);
    }

    private void release() {
        tell(new LeaseState.Standby(""));
        // What ended a pause or a request must not end this one too.
        boolean _ = Thread.interrupted();
        try {
            candidate.release();
        } catch (RuntimeException failed) {
            LOG.atWarn()
                    .addKeyValue("problem", failed.getMessage())
                    .log("The lease could not be released; it has to run out");
        }
    }
}
