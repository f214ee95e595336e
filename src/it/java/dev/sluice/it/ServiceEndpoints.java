package dev.sluice.it;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What the Service of the manifests is to the API server: new connections go in turn to the pods that its
 * EndpointSlices name as ready, and connections that are open stay. It hears of a change late, as the proxies on the
 * nodes do.
 */
final class ServiceEndpoints implements AutoCloseable {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final Kubelet kubelet;
    private final FrontDoor door;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<String> ready = List.of();

    ServiceEndpoints(KubernetesClient client, Kubelet kubelet) throws IOException {
        this.client = client;
        this.kubelet = kubelet;
        door = new FrontDoor(this::next);
        var _ = Thread.ofVirtual().start(this::follow);
    }

    String url() {
        return door.url();
    }

    private void follow() {
        while (!door.isClosed()) {
            try {
                ready = look();
            } catch (KubernetesClientException later) {
                // The next look may see more.
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    private List<String> look() {
        return client
                .discovery()
                .v1()
                .endpointSlices()
                .inNamespace(Account.NAMESPACE)
                .withLabel("kubernetes.io/service-name", "gpu-webhook")
                .list()
                .getItems()
                .stream()
                .flatMap(slice -> Stream.ofNullable(slice.getEndpoints()).flatMap(List::stream))
                .filter(endpoint -> Objects.equals(endpoint.getConditions().getReady(), true))
                .map(Endpoint::getTargetRef)
                .map(pod -> pod.getName())
                .toList();
    }

    private Optional<Gateway> next() {
        List<String> pods = ready;
        return pods.isEmpty()
                ? Optional.empty()
                : kubelet.gateway(pods.get(Math.floorMod(turn.getAndIncrement(), pods.size())));
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
