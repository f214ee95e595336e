package dev.sluice.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.util.Optional;

/** Reads and writes the Lease. Every call blocks and throws {@code KubernetesClientException}. */
final class LeaseStore {

    private static final String NAME = "gpu-webhook";

    private final KubernetesClient client;
    private final String namespace;

    /** The lease is in the namespace of the kubeconfig's context or of the pod. */
    public LeaseStore(KubernetesClient client, Duration requestTimeout) {
        this.client = withTimeout(client, requestTimeout);
        this.namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    }

    /** Without retries of the client, which would outlast the lease. The connections are those of the given client. */
    private static KubernetesClient withTimeout(KubernetesClient client, Duration timeout) {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    Optional<Lease> read() {
        return Optional.ofNullable(
                client.leases().inNamespace(namespace).withName(NAME).get());
    }

    /** Fails if the lease exists. */
    void create(LeaseRecord record) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .endMetadata()
                .build();
        var _ = client.resource(record.in(lease)).create();
    }

    /** Fails if the lease has changed since it was read. */
    void replace(Lease read, LeaseRecord record) {
        var _ = client.resource(record.in(read)).update();
    }

    /** Writes the annotations and leaves the spec; fails like {@link #replace}. */
    void annotate(Lease changed) {
        var _ = client.resource(changed).update();
    }

    OwnPod pod(String name) {
        return new OwnPod(client, namespace, name);
    }

    @Override
    public String toString() {
        return "lease " + namespace + "/" + NAME;
    }
}
