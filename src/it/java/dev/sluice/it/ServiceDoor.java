package dev.sluice.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What a Service with several endpoints is to the API server: new connections go to the replicas in turn that the last
 * probes found ready, and connections that are open stay. Endpoints follow readiness late, as they do in a cluster.
 */
final class ServiceDoor implements AutoCloseable {

    /** Half of what the manifests have, and so is the drain of the replicas in these tests. */
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);

    private static final int FAILURES = 2;

    private final ServerSocket door;
    private final List<Endpoint> endpoints;
    private final AtomicInteger turn = new AtomicInteger();

    private static final class Endpoint {
        private final Gateway replica;
        private volatile int failures = FAILURES;

        Endpoint(Gateway replica) {
            this.replica = replica;
        }

        void probe() {
            failures = isReady(replica) ? 0 : failures + 1;
        }

        boolean isReady() {
            return failures < FAILURES;
        }

        private static boolean isReady(Gateway replica) {
            try {
                return replica.daemon().isAlive() && replica.isReady();
            } catch (IOException down) {
                return false;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    ServiceDoor(List<Gateway> replicas) throws IOException {
        endpoints = replicas.stream().map(Endpoint::new).toList();
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        for (Endpoint endpoint : endpoints) {
            endpoint.probe();
            var _ = Thread.ofVirtual().start(() -> probe(endpoint));
        }
        var _ = Thread.ofVirtual().name("service door").start(this::accept);
    }

    String url() {
        return "https://127.0.0.1:" + door.getLocalPort() + "/mutate";
    }

    private void probe(Endpoint endpoint) {
        while (!door.isClosed()) {
            endpoint.probe();
            LockSupport.parkNanos(BETWEEN_PROBES.toNanos());
        }
    }

    /** So many replicas take new connections. */
    long ready() {
        return endpoints.stream().filter(Endpoint::isReady).count();
    }

    private void accept() {
        try {
            while (!door.isClosed()) {
                Socket caller = door.accept();
                var _ = Thread.ofVirtual().start(() -> connect(caller));
            }
        } catch (IOException closed) {
            if (!door.isClosed()) {
                throw new UncheckedIOException(closed);
            }
        }
    }

    private void connect(Socket caller) {
        List<Endpoint> ready = endpoints.stream().filter(Endpoint::isReady).toList();
        try (caller) {
            if (!ready.isEmpty()) {
                Gateway next = ready.get(Math.floorMod(turn.getAndIncrement(), ready.size())).replica;
                try (Socket replica = new Socket(InetAddress.getLoopbackAddress(), next.webhookPort())) {
                    Thread back = Thread.ofVirtual().start(() -> copy(replica, caller));
                    copy(caller, replica);
                    back.join();
                }
            }
        } catch (IOException gone) {
            // The caller sees its connection end.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** When one side ends, so does the other. */
    private static void copy(Socket from, Socket to) {
        try (Socket source = from;
                Socket sink = to) {
            source.getInputStream().transferTo(sink.getOutputStream());
        } catch (IOException ended) {
            // As it should be.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
