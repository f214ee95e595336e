package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.ServerTls;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one step after the other on a thread of its own, and tells what is to be served. */
final class RotationLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RotationLoop.class);

    /** Without a watch, a change is found so late at most. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    /** Each write of another replica rings the bell; this pause limits the cost of many writes. */
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
    /** If cert-manager writes the caBundle too, each write provokes another; this pause slows both down. */
    private static final Duration BESIDE_ANOTHER_WRITER = Duration.ofSeconds(1);

    /** The part that serves with the certificates. */
    interface Server {

        /** Blocks until it is served. Throws IllegalStateException if it cannot be. */
        void serve(ServerTls tls, X509Certificate authority) throws InterruptedException;

        /** Something is wrong, and what is served stays; empty when nothing is wrong any more. */
        void report(List<String> problems);
    }

    private final SelfManagedTls source;
    private final Server server;
    private final InstantSource clock;
    private final ChangeNotifier bell;
    private Identity served;
    private ServerTls tls;
    private List<String> problems = List.of();
    private volatile boolean stopped;

    RotationLoop(SelfManagedTls source, Server server, InstantSource clock) {
        this.source = source;
        this.server = server;
        this.clock = clock;
        this.bell = source.bell();
        this.served = source.served();
        this.tls = source.first().tls();
    }

    @Override
    public void run() {
        bell.start();
        try {
            while (!stopped) {
                bell.await(step());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            bell.stop();
        }
    }

    /** No further step is begun. The caller interrupts the thread. */
    void stop() {
        stopped = true;
    }

    /** Does what is due, and returns how long nothing more is due. */
    private Duration step() throws InterruptedException {
        try {
            // The authorities of callers may have changed, whether or not the API server can be reached.
            serve(served);
            Duration idle = switch (source.rotator().step(Optional.of(served))) {
                case StepOutcome.LookAgain _ -> BETWEEN_STEPS;
                case StepOutcome.ServeNow(var identity) -> {
                    serve(identity);
                    yield BETWEEN_STEPS;
                }
                case StepOutcome.Idle(var until) -> shorter(Duration.between(clock.instant(), until), LONGEST_WAIT);
            };
            List<String> conflicts = source.rotator().conflicts();
            report(conflicts);
            if (!conflicts.isEmpty()) {
                Thread.sleep(BESIDE_ANOTHER_WRITER);
            }
            return shorter(idle, source.betweenLooksAtFiles());
        } catch (KubernetesClientException refused) {
            report(List.of(source.sentence(refused)));
        } catch (RuntimeException fault) {
            LOG.debug("certificate rotation failed", fault);
            report(List.of("the rotation failed: " + fault));
        }
        return AFTER_FAILURE;
    }

    /** With the newest authorities of callers, which come from a file. */
    private void serve(Identity identity) throws InterruptedException {
        ServerTls next = source.tls(identity.pair());
        if (!next.equals(tls)) {
            server.serve(next, identity.authority());
        }
        tls = next;
        served = identity;
    }

    private void report(List<String> found) {
        if (!found.equals(problems)) {
            problems = found;
            server.report(found);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
