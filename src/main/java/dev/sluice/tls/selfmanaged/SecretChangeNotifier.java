package dev.sluice.tls.selfmanaged;

import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBackoff;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.tls.CertificateUse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes a waiting thread when the Secret or the webhook configuration may have changed. For the certificates of
 * replicas, only the Secret is watched. The content of the events is ignored, because the thread then reads the objects
 * itself. Each watch begins with an event for the existing object, so no change is missed between two watches.
 */
final class SecretChangeNotifier {

    private static final Logger LOG = LoggerFactory.getLogger(SecretChangeNotifier.class);

    private static final Duration ANSWER = Duration.ofSeconds(10);
    /**
     * The time after which the API server ends a watch. A watch that lasts longer has a broken connection, which is
     * noticed soon after this time.
     */
    private static final Duration WATCH = Duration.ofMinutes(5);

    private static final int BUFFER = 8 * 1024;

    private final ApiServer server;
    private final List<String> watched;
    /**
     * Contains an element if something has changed since the last call of {@link #await}. One element is enough,
     * because the caller then reads all watched objects.
     */
    private final BlockingQueue<Boolean> signal = new ArrayBlockingQueue<>(1);

    private final List<Thread> threads;

    SecretChangeNotifier(ApiServer server, String namespace, CertificateUse use) {
        this.server = server;
        String secret = "api/v1/namespaces/" + namespace + "/secrets" + named(CertificateStore.SECRET);
        this.watched = switch (use) {
            case WEBHOOK ->
                List.of(
                        secret,
                        "apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
                                + named(CertificateStore.CONFIGURATION));
            case PEERS -> List.of(secret);
        };
        this.threads = watched.stream()
                .map(path ->
                        Thread.ofPlatform().daemon().name("certificate watch").unstarted(() -> watch(path)))
                .toList();
    }

    private static String named(String name) {
        return "?watch=true&timeoutSeconds=" + WATCH.toSeconds() + "&fieldSelector=metadata.name%3D" + name;
    }

    void start() {
        threads.forEach(Thread::start);
    }

    void stop() {
        threads.forEach(Thread::interrupt);
    }

    /**
     * Waits until one of the objects may have changed, but not longer than {@code most}. Returns at once if there was a
     * change since the last call.
     */
    void await(Duration most) throws InterruptedException {
        var _ = signal.poll(Math.max(1, most.toMillis()), TimeUnit.MILLISECONDS);
    }

    private void watch(String path) {
        ApiServerBackoff backoff =
                new ApiServerBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30), RandomGenerator.getDefault());
        while (!Thread.currentThread().isInterrupted()) {
            try {
                listen(path, backoff);
            } catch (IOException broken) {
                LOG.debug("a watch of the certificates has failed", broken);
            }
            try {
                Thread.sleep(backoff.next());
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    private void listen(String path, ApiServerBackoff backoff) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (ApiServerBodyStream events = server.get(path, ANSWER, WATCH.plus(ANSWER))) {
            while (events.read(buffer) >= 0) {
                backoff.reset();
                var _ = signal.offer(true);
            }
        }
    }
}
