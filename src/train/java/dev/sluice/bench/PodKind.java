package dev.sluice.bench;

/** The pods that are decided about, by what makes deciding about them differ. */
public enum PodKind {
    /** Whole GPUs, offered on nodes without taints. */
    OFFERED("\"nvidia.com/gpu\":\"2\"", ""),
    /** The asked slice is nowhere; the second of its chain is. */
    FALLS_BACK("\"nvidia.com/mig-3g.40gb\":\"1\"", ""),
    /** One product, on nodes that keep others off. */
    BY_PRODUCT("\"nvidia.com/gpu\":\"8\"", "\"nodeSelector\":{\"nvidia.com/gpu.product\":\"NVIDIA-H100-80GB-HBM3\"},"),
    BY_ZONE("\"nvidia.com/gpu\":\"4\"", affinity("topology.kubernetes.io/zone", "eu-central-b\",\"eu-central-c")),
    /** A label that each node has for itself; {@code %s} is the name of a node. */
    BY_HOSTNAME("\"nvidia.com/gpu\":\"1\"", "\"nodeSelector\":{\"kubernetes.io/hostname\":\"%s\"},"),
    BY_NODE_NAME("\"nvidia.com/gpu\":\"1\"", "\"nodeName\":\"%s\","),
    /** Nothing of its chain is offered where it may go, so every candidate is looked for everywhere. */
    NOT_OFFERED("\"nvidia.com/mig-3g.40gb\":\"1\"", "\"nodeSelector\":{\"node.example.com/pool\":\"ingress\"},"),
    /** Two resources that only one kind of node has together. */
    TWO_RESOURCES("\"nvidia.com/mig-1g.10gb\":\"1\",\"nvidia.com/mig-2g.20gb\":\"2\"", ""),
    NO_GPU("\"ephemeral-storage\":\"20Gi\"", "");

    private final String devices;
    private final String constraints;

    PodKind(String devices, String constraints) {
        this.devices = devices;
        this.constraints = constraints;
    }

    private static String affinity(String key, String values) {
        return """
                "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[\
                {"matchExpressions":[{"key":"%s","operator":"In","values":["%s"]}]}]}}},""".formatted(key, values);
    }

    /** Members of the resource maps of the container that computes. */
    String devices() {
        return devices;
    }

    /** Members of the pod's spec, each with a comma after it. */
    String constraints(String node) {
        return constraints.replace("%s", node);
    }
}
