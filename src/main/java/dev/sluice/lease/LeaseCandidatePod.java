package dev.sluice.lease;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the revision of the pod in which this process runs. It repeats the request until the API server has answered
 * once. It sends a list request and not a get request, because in availability mode the process has only the right to
 * list pods. Only one thread may use it.
 */
final class LeaseCandidatePod implements Supplier<Optional<LeaseCandidate.Revision>> {

    private static final String TEMPLATE = "pod-template-hash";

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private Optional<LeaseCandidate.Revision> known = Optional.empty();
    private boolean answered;

    public LeaseCandidatePod(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    /** Returns the revision; empty outside a Deployment, and until the API server has answered. */
    @Override
    public Optional<LeaseCandidate.Revision> get() {
        if (!answered) {
            try {
                known = ask();
                answered = true;
            } catch (KubernetesClientException failed) {
                return Optional.empty();
            }
        }
        return known;
    }

    private Optional<LeaseCandidate.Revision> ask() {
        return client.pods().inNamespace(namespace).withField("metadata.name", name).list().getItems().stream()
                .map(Pod::getMetadata)
                .filter(pod -> pod.getLabels() != null && pod.getLabels().containsKey(TEMPLATE))
                .map(LeaseCandidatePod::revision)
                .findFirst();
    }

    private static LeaseCandidate.Revision revision(ObjectMeta pod) {
        return new LeaseCandidate.Revision(
                pod.getLabels().getOrDefault(TEMPLATE, ""),
                Optional.ofNullable(pod.getCreationTimestamp())
                        .map(Instant::parse)
                        .orElse(Instant.MIN));
    }
}
