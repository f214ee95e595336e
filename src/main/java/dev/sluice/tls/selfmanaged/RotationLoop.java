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

/**
 * Takes one rotation step after the other in a thread of its own, and passes on each certificate that is to be served.
 */
final class RotationLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RotationLoop.class);

    /** The maximum time until a change is noticed if the watches do not work. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    /**
     * The pause between two steps. Each write of another replica causes a step, and the pause limits how many there
     * are.
     */
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
    /**
     * The pause between two steps if cert-manager writes the caBundle as well. Each write then causes a write of the
     * other side, and the pause slows both down.
     */
    private static final Duration WITH_ANOTHER_WRITER = Duration.ofSeconds(1);

    /** Receives the certificates and the problems. */
    interface Server {

        /**
         * Serves with this certificate. Blocks until the server uses it. Throws IllegalStateException if the server
         * cannot use it.
         */
        void serve(ServerTls tls, X509Certificate authority) throws InterruptedException;

        /**
         * Receives the current problems. The served certificate stays the same. The list is empty when all problems are
         * solved.
         */
        void report(List<String> problems);
    }

    private final SelfManagedTls source;
    private final Server server;
    private final InstantSource clock;
    private final ChangeNotifier changes;
    private Identity served;
    private ServerTls tls;
    private List<String> problems = List.of();
    private volatile boolean stopped;

    RotationLoop(SelfManagedTls source, Server server, InstantSource clock) {
        this.source = source;
        this.server = server;
        this.clock = clock;
        this.changes = source.changes();
        this.served = source.served();
        this.tls = source.first().tls();
    }

    @Override
    public void run() {
        changes.start();
        try {
            while (!stopped) {
                changes.await(step());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            changes.stop();
        }
    }

    /** Ends the loop after the current step. The caller also has to interrupt the thread. */
    void stop() {
        stopped = true;
    }

    /** Takes the step that is due, and returns the time until the next one is due. */
    private Duration step() throws InterruptedException {
        try {
            // The authorities for client certificates may have changed in their file, even if the API server cannot be
            // reached.
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
                Thread.sleep(WITH_ANOTHER_WRITER);
            }
            return shorter(idle, source.filePollInterval());
        } catch (KubernetesClientException refused) {
            report(List.of(source.sentence(refused)));
        } catch (RuntimeException fault) {
            LOG.debug("certificate rotation failed", fault);
            report(List.of("the rotation failed: " + fault));
        }
        return AFTER_FAILURE;
    }

    /** Serves with this certificate and the newest authorities for client certificates, which come from a file. */
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
