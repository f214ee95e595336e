package dev.sluice.it;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A control plane with a registered gateway, which classes of tests use one after the other. */
final class Stage implements AutoCloseable {

    private final ControlPlane plane;
    private final Gateway gateway;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicInteger namespaces = new AtomicInteger();

    Stage(int number) throws IOException {
        plane = ControlPlane.named("stage-" + number);
        Registration registration = new Registration(plane);
        gateway = new Gateway(plane, "gateway", Account.byKubeconfig(plane), Gateway.SHIPPED_POLICY).ready();
        registration.register(gateway.url(), gateway.caBundle());
        try (Cluster cluster = new Cluster(this)) {
            Eventually.holds("the API server asks the gateway", () -> {
                var _ = cluster.dryRun(Pods.asking("first", "nvidia.com/gpu"));
                return gateway.decisions() > 0;
            });
        }
    }

    ControlPlane plane() {
        return plane;
    }

    Gateway gateway() {
        return gateway;
    }

    String freshNamespace() {
        return "it-" + namespaces.incrementAndGet();
    }

    /** Something failed: the logs will be wanted. */
    void markFailed() {
        failed.set(true);
    }

    @Override
    public void close() throws IOException {
        try {
            gateway.kill();
            plane.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!failed.get()) {
            plane.forgetLogs();
        }
    }
}
