package dev.sluice.election;

import dev.sluice.election.succession.OwnPod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.util.Optional;

/** The one Lease in the API server. Every call blocks, and fails with fabric8's exception. */
public final class LeaseStore {

    private static final String NAME = "gpu-webhook";

    private final KubernetesClient client;
    private final String namespace;

    /** The namespace is that of the kubeconfig's context, or of the pod. */
    public LeaseStore(KubernetesClient client, Duration answer) {
        this.client = impatient(client, answer);
        this.namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    }

    /**
     * Repetition is the election's: the client's own would last beyond the lease. It shares the caller's connections.
     */
    private static KubernetesClient impatient(KubernetesClient client, Duration answer) {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(answer.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    Optional<Lease> read() {
        return Optional.ofNullable(
                client.leases().inNamespace(namespace).withName(NAME).get());
    }

    /** Fails when there is one. */
    void create(LeaseRecord record) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .endMetadata()
                .build();
        var _ = client.resource(record.in(lease)).create();
    }

    /** Fails when the lease is not what it was any more. */
    void replace(Lease read, LeaseRecord record) {
        var _ = client.resource(record.in(read)).update();
    }

    /** Leaves what the lease says of its holder; fails like {@link #replace}. */
    void annotate(Lease changed) {
        var _ = client.resource(changed).update();
    }

    /** Of the pod with that name, where the lease is. */
    OwnPod pod(String name) {
        return new OwnPod(client, namespace, name);
    }

    @Override
    public String toString() {
        return "lease " + namespace + "/" + NAME;
    }
}
