package dev.sluice.election.succession;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The revision of the pod in which this process runs, asked for until an answer has come. By a list, for which
 * availability mode has the right; it may not get single pods. Has one owner.
 */
public final class OwnPod implements Supplier<Optional<Revision>> {

    private static final String TEMPLATE = "pod-template-hash";

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private Optional<Revision> known = Optional.empty();
    private boolean answered;

    public OwnPod(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    /** Empty outside of a pod, outside of a Deployment, and while the API server does not answer. */
    @Override
    public Optional<Revision> get() {
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

    private Optional<Revision> ask() {
        return client.pods().inNamespace(namespace).withField("metadata.name", name).list().getItems().stream()
                .map(Pod::getMetadata)
                .filter(pod -> pod.getLabels() != null && pod.getLabels().containsKey(TEMPLATE))
                .map(OwnPod::revision)
                .findFirst();
    }

    private static Revision revision(ObjectMeta pod) {
        return new Revision(
                pod.getLabels().getOrDefault(TEMPLATE, ""),
                Optional.ofNullable(pod.getCreationTimestamp())
                        .map(Instant::parse)
                        .orElse(Instant.MIN));
    }
}
