package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.admission.request.PodRequestAnnotations;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A pod that is created only as a dry run. It requests a GPU, and has an annotation of Sluice with an unknown value.
 * Sluice quotes this value in a warning, so the warning proves that the gateway has decided about this pod. There is no
 * warning if the policy only observes.
 *
 * @param nonce the value of the annotation, which no other pod has
 * @param labels the labels that the pod needs so that the webhook selects it
 */
record DryRunPod(String nonce, Map<String, String> labels) {

    private static final String RESOURCE = "nvidia.com/gpu";

    static DryRunPod random(Map<String, String> labels) {
        return new DryRunPod("probe-" + UUID.randomUUID().toString().substring(0, 8), labels);
    }

    String name() {
        return "sluice-status-" + nonce;
    }

    /** Returns the URL path for creating a pod in a dry run. The API server stores nothing. */
    static String path(String namespace) {
        return "api/v1/namespaces/" + namespace + "/pods?dryRun=All&fieldManager=sluice-status";
    }

    /** Returns the pod. It meets the strictest of the Pod Security Standards. */
    String json() {
        Map<String, TextNode> texts = new TreeMap<>();
        labels.forEach((key, value) -> texts.put(key, TextNode.valueOf(value)));
        return """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "%s", "labels": %s, "annotations": {"%s": "%s"}},
             "spec": {"restartPolicy": "Never", "automountServiceAccountToken": false,
              "securityContext": {"runAsNonRoot": true, "runAsUser": 65532, "seccompProfile": {"type": "RuntimeDefault"}},
              "containers": [{"name": "probe", "image": "registry.k8s.io/pause:3.10",
               "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
               "resources": {"requests": {"cpu": "10m", "memory": "16Mi", "%5$s": "1"},
                "limits": {"cpu": "10m", "memory": "16Mi", "%5$s": "1"}}}]}}
            """.formatted(
                        name(),
                        JsonNodeFactory.instance.objectNode().setAll(texts),
                        PodRequestAnnotations.FALLBACK_MODE,
                        nonce,
                        RESOURCE);
    }
}
