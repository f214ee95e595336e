package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.ServerTls;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the rotation in a separate thread. It executes one step after the other, and passes each new certificate to the
 * {@link Server}.
 */
final class RotationLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RotationLoop.class);

    /**
     * The maximum time between two steps. A change of the Secret or the caBundle is noticed after this time at the
     * latest, even if the watches do not work.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    /**
     * The maximum pause before the next step if a step has written an object or found a new certificate. The pause ends
     * early if a watch reports a change.
     */
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
    /**
     * An additional pause between two steps if cert-manager writes the caBundle as well. Sluice and cert-manager then
     * overwrite each other's caBundle, and the pause limits how often that happens.
     */
    private static final Duration WITH_ANOTHER_WRITER = Duration.ofSeconds(1);

    /** Receives the certificates to serve and the current problems. */
    interface Server {

        /**
         * Serves with this certificate. Blocks until the server uses it. Throws IllegalStateException if the server
         * cannot use it.
         */
        void serve(ServerTls tls, X509Certificate authority) throws InterruptedException;

        /**
         * Receives the current problems of the rotation. While there are problems, the server keeps its certificate. An
         * empty list means that all problems are solved.
         */
        void report(List<String> problems);
    }

    private final SelfManagedTls source;
    private final Server server;
    private final SecretChangeNotifier changes;
    private SelfManagedIdentity served;
    private ServerTls tls;
    private List<String> problems = List.of();
    private volatile boolean stopped;

    RotationLoop(SelfManagedTls source, Server server) {
        this.source = source;
        this.server = server;
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

    /** Executes the next step. Returns the maximum time to wait before the step after it. */
    Duration step() throws InterruptedException {
        try {
            // Applies a change of the file with the authorities for client certificates. The step comes afterwards,
            // because it fails if the API server cannot be reached.
            serve(served);
            Duration idle = switch (source.rotator().step(Optional.of(served))) {
                case RotationStepOutcome.LookAgain _ -> BETWEEN_STEPS;
                case RotationStepOutcome.ServeNow(var identity) -> {
                    serve(identity);
                    yield BETWEEN_STEPS;
                }
                case RotationStepOutcome.Idle(var pause) -> {
                    // The step has read the Secret again. Its authorities for certificates of replicas may have
                    // changed.
                    serve(served);
                    yield shorter(pause, LONGEST_WAIT);
                }
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

    /**
     * Passes this certificate to the server, together with the newest authorities for client certificates. Does nothing
     * if both are unchanged.
     */
    private void serve(SelfManagedIdentity identity) throws InterruptedException {
        ServerTls next = source.tls(identity.pair());
        if (!next.equals(tls)) {
            server.serve(next, identity.authority());
        }
        tls = next;
        served = identity;
    }

    /**
     * Reports the problems if they have changed. Reports nothing after {@link #stop}, because the thread is then
     * interrupted and its requests fail.
     */
    private void report(List<String> found) {
        if (!stopped && !found.equals(problems)) {
            problems = found;
            server.report(found);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
