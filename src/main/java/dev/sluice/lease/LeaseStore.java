package dev.sluice.lease;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes the Lease. Each call blocks, and throws {@code KubernetesClientException} if it fails. */
final class LeaseStore {

    private static final String NAME = "gpu-webhook";

    private static final List<String> TIMES = List.of("acquireTime", "renewTime");

    private static final ResourceDefinitionContext LEASES = new ResourceDefinitionContext.Builder()
            .withGroup("coordination.k8s.io")
            .withVersion("v1")
            .withKind("Lease")
            .withPlural("leases")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final String namespace;

    /**
     * Creates a store for the lease in the namespace of the kubeconfig's context or of the pod.
     *
     * @param requestTimeout the longest time for one request
     */
    public LeaseStore(KubernetesClient client, Duration requestTimeout) {
        this.client = withTimeout(client, requestTimeout);
        this.namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    }

    /**
     * Returns a client without retries, because retries could last longer than the lease. It shares the connections of
     * the given client.
     */
    private static KubernetesClient withTimeout(KubernetesClient client, Duration timeout) {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    /**
     * Reads the lease. A time that Go can write but fabric8 cannot read, such as one in the year 0, is left out,
     * because the lease could otherwise never be read, renewed or acquired again.
     */
    Optional<Lease> read() {
        GenericKubernetesResource found = client.genericKubernetesResources(LEASES)
                .inNamespace(namespace)
                .withName(NAME)
                .get();
        if (found == null) {
            return Optional.empty();
        }
        if (found.get("spec") instanceof Map<?, ?> spec) {
            TIMES.stream().filter(field -> !isTime(spec.get(field))).forEach(spec::remove);
        }
        return Optional.of(client.getKubernetesSerialization().convertValue(found, Lease.class));
    }

    private static boolean isTime(@Nullable Object value) {
        try {
            return value instanceof String text && OffsetDateTime.parse(text).getYear() > 0;
        } catch (DateTimeException unreadable) {
            return false;
        }
    }

    /** Creates the lease. Fails if the lease exists. */
    void create(LeaseRecord record) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .endMetadata()
                .build();
        var _ = client.resource(record.in(lease)).create();
    }

    /** Replaces the spec of the lease. Fails if the lease has changed since it was read. */
    void replace(Lease read, LeaseRecord record) {
        var _ = client.resource(record.in(read)).update();
    }

    /**
     * Writes the annotations of the lease, and leaves its spec unchanged. Fails if the lease has changed since it was
     * read.
     */
    void annotate(Lease changed) {
        var _ = client.resource(changed).update();
    }

    LeaseCandidatePod pod(String name) {
        return new LeaseCandidatePod(client, namespace, name);
    }

    @Override
    public String toString() {
        return "lease " + namespace + "/" + NAME;
    }
}
