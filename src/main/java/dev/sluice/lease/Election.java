package dev.sluice.lease;

import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.kube.client.ClientFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the {@link LeaderElector} in a separate thread until it is stopped, and reports each state of the Lease. */
final class Election implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    private final LeaderElector elector;
    private final Duration retryPeriod;
    private final InstantSource clock;
    private final Consumer<LeaseStateMessage> listener;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean leaving;
    private volatile boolean stopping;
    private LeaseStateMessage last = new LeaseStateMessage.Standby("");
    private String problem = "";

    Election(LeaderElector elector, Duration retryPeriod, InstantSource clock, Consumer<LeaseStateMessage> listener) {
        this.elector = elector;
        this.retryPeriod = retryPeriod;
        this.clock = clock;
        this.listener = listener;
    }

    /** Stops acquiring the lease, because the process is about to end. A lease that is held is still renewed. */
    void leave() {
        leaving = true;
    }

    /**
     * Stops {@link #run}, which then releases the Lease. The interrupt ends a pause or a request of that thread. It
     * must come before the latch is released: a later interrupt could interrupt the release of the Lease, and other
     * replicas would have to wait until the Lease expires.
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
            return stop.await(retryPeriod.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            return true;
        }
    }

    private void attempt() {
        if (leaving && !last.holdsAt(clock.instant())) {
            return;
        }
        try {
            tell(elector.tryAcquireOrRenew());
            problem = "";
        } catch (RuntimeException failed) {
            // A failure may be of any kind, for example from a proxy. It is not fatal, because the next attempt may
            // succeed.
            failed(failed);
        }
    }

    /** Reports Standby after a failure, unless the lease is held: it stays held until the renew deadline. */
    private void failed(RuntimeException failure) {
        boolean conflict = failure instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
        String now = ClientFailure.reason(failure);
        if (!conflict && !now.equals(problem) && !stopping) {
            problem = now;
            LOG.atWarn().addKeyValue("problem", now).log("the Lease can neither be renewed nor acquired");
        }
        if (!last.holdsAt(clock.instant())) {
            tell(new LeaseStateMessage.Standby(""));
        }
    }

    private void tell(LeaseStateMessage next) {
        boolean held = last instanceof LeaseStateMessage.Leading;
        switch (next) {
            case LeaseStateMessage.Leading _ when !held -> LOG.atInfo().log("this gateway holds the lease");
            case LeaseStateMessage.Standby(String holder)
            when held || !next.equals(last) ->
                LOG.atInfo().addKeyValue("holder", holder).log("this gateway is on standby");
            case LeaseStateMessage.Leading _, LeaseStateMessage.Standby _ -> {}
        }
        last = next;
        listener.accept(next);
    }

    private void release() {
        tell(new LeaseStateMessage.Standby(""));
        // The interrupt flag is cleared, so that the interrupt of a pause or request does not end the release as well.
        boolean _ = Thread.interrupted();
        try {
            elector.release();
        } catch (RuntimeException failed) {
            LOG.atWarn()
                    .addKeyValue("problem", ClientFailure.reason(failed))
                    .log("the lease could not be released; it will expire");
        }
    }
}
