package dev.sluice.fuzz;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Makes a pod of any bytes, as the API server would send it: every request that a limit implies is there. What the
 * fuzzer changes is then what the pod asks, and not where its braces are.
 */
public final class PodGenes {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final String[] RESOURCES = {
        "nvidia.com/gpu",
        "nvidia.com/mig-1g.10gb",
        "nvidia.com/mig-2g.20gb",
        "nvidia.com/mig-3g.40gb",
        "cpu",
        "memory",
        "ephemeral-storage",
        "hugepages-2Mi",
        "amd.com/gpu",
        "example.com/fpga",
        "pods",
        "requests.nvidia.com/gpu",
        "a"
    };

    private static final String[] QUANTITIES = {
        "1",
        "0",
        "2",
        "8",
        "500m",
        "1500m",
        "1Gi",
        "0.5",
        "1e3",
        "9223372036854775807",
        "9E",
        "7Ei",
        "+2",
        "0.001",
        "3Ki"
    };

    private static final String[] WORDS = {"", "a", "train", "zone", "gpu-1", "x/y~z", "größe", "\"\\\n", "In", "Exists"
    };

    private final byte[] genes;
    private int at;

    public PodGenes(byte[] genes) {
        this.genes = genes.clone();
    }

    private int next(int choices) {
        return at < genes.length ? (genes[at++] & 0xff) % choices : 0;
    }

    private boolean sometimes() {
        return next(4) == 1;
    }

    private String word() {
        return WORDS[next(WORDS.length)];
    }

    public ObjectNode pod() {
        ObjectNode pod = JSON.objectNode().put("kind", "Pod").put("apiVersion", "v1");
        ObjectNode metadata = pod.putObject("metadata").put("name", "p").put("namespace", "team-a");
        if (sometimes()) {
            texts(metadata.putObject("annotations"));
        }
        ObjectNode spec = pod.putObject("spec");
        for (int fields = next(6); fields > 0; fields--) {
            rare(spec);
        }
        containers(spec.putArray("containers"), 1 + next(3));
        if (sometimes()) {
            containers(spec.putArray("initContainers"), next(4));
        }
        return pod;
    }

    private void rare(ObjectNode spec) {
        switch (next(7)) {
            case 0 -> amounts(spec.putObject("overhead"));
            case 1 -> resources(spec.putObject("resources"));
            case 2 -> texts(spec.putObject("nodeSelector"));
            case 3 -> spec.put("nodeName", word());
            case 4 -> spec.putArray("schedulingGates").addObject().put("name", word());
            case 5 ->
                spec.putArray("tolerations").addObject().put("key", word()).put("operator", word());
            default -> affinity(spec);
        }
    }

    private void affinity(ObjectNode spec) {
        ObjectNode required = spec.putObject("affinity")
                .putObject("nodeAffinity")
                .putObject("requiredDuringSchedulingIgnoredDuringExecution");
        ArrayNode expressions =
                required.putArray("nodeSelectorTerms").addObject().putArray("matchExpressions");
        for (int count = next(3); count > 0; count--) {
            ObjectNode expression = expressions.addObject().put("key", word()).put("operator", word());
            expression.putArray("values").add(word());
        }
    }

    private void containers(ArrayNode list, int count) {
        for (int i = 0; i < count; i++) {
            ObjectNode container = list.addObject().put("name", "c" + i);
            if (sometimes()) {
                container.put("restartPolicy", next(2) == 0 ? "Always" : "Never");
            }
            if (!sometimes()) {
                resources(container.putObject("resources"));
            }
        }
    }

    private void resources(ObjectNode resources) {
        ObjectNode limits = JSON.objectNode();
        amounts(limits);
        ObjectNode requests = limits.deepCopy();
        if (sometimes()) {
            amounts(requests);
        }
        resources.set("limits", limits);
        resources.set("requests", requests);
    }

    private void amounts(ObjectNode map) {
        for (int count = next(4); count > 0; count--) {
            String resource = RESOURCES[next(RESOURCES.length)];
            String quantity = QUANTITIES[next(QUANTITIES.length)];
            map.put(resource, quantity);
        }
    }

    private void texts(ObjectNode map) {
        for (int count = next(4); count > 0; count--) {
            map.put(word(), word());
        }
    }
}
