package dev.sluice.it;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    private final FrontDoor door;
    private final List<Endpoint> endpoints;
    private final AtomicInteger turn = new AtomicInteger();

    private static final class Endpoint {
        private final Gateway replica;
        private volatile int failures = FAILURES;

        Endpoint(Gateway replica) {
            this.replica = replica;
        }

        void probe() {
            failures = FrontDoor.isReady(replica) ? 0 : failures + 1;
        }

        boolean isReady() {
            return failures < FAILURES;
        }
    }

    ServiceDoor(List<Gateway> replicas) throws IOException {
        endpoints = replicas.stream().map(Endpoint::new).toList();
        door = new FrontDoor(this::next);
        for (Endpoint endpoint : endpoints) {
            endpoint.probe();
            var _ = Thread.ofVirtual().start(() -> probe(endpoint));
        }
    }

    String url() {
        return door.url();
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

    private Optional<Gateway> next() {
        List<Endpoint> ready = endpoints.stream().filter(Endpoint::isReady).toList();
        return ready.isEmpty()
                ? Optional.empty()
                : Optional.of(ready.get(Math.floorMod(turn.getAndIncrement(), ready.size())).replica);
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
