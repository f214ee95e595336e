package dev.sluice.cluster;

import java.util.List;

/** A taint of a node. The {@code value} is empty if the taint has none. */
public record Taint(String key, String value, Effect effect) {

    /** The taint of a cordoned node (scheduler plugin NodeUnschedulable). */
    public static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    /**
     * The endings of taint keys such as {@code node.cilium.io/agent-not-ready}. Drivers and platforms set these taints
     * on a starting node and remove them later.
     */
    private static final List<String> OF_START =
            List.of("/not-ready", "-not-ready", "/uninitialized", "-uninitialized", "/network-unavailable");

    /**
     * The effect of a taint. {@code OTHER} means an unknown effect. Like {@code PREFER_NO_SCHEDULE}, it does not
     * prevent pods from using the node.
     */
    public enum Effect {
        NO_SCHEDULE("NoSchedule"),
        PREFER_NO_SCHEDULE("PreferNoSchedule"),
        NO_EXECUTE("NoExecute"),
        OTHER("");

        private final String text;

        Effect(String text) {
            this.text = text;
        }

        public static Effect of(String text) {
            for (Effect effect : values()) {
                if (effect.text.equals(text)) {
                    return effect;
                }
            }
            return OTHER;
        }

        public String text() {
            return text;
        }
    }

    /**
     * Returns true if the effect is {@code NoSchedule} or {@code NoExecute}. The scheduler then places only pods with a
     * toleration on the node.
     */
    public boolean keepsPodsOff() {
        return effect == Effect.NO_SCHEDULE || effect == Effect.NO_EXECUTE;
    }

    /**
     * Returns true if Kubernetes itself sets and removes the taint: for nodes that are not ready, under pressure or
     * being initialised.
     */
    public boolean isOfNodeState() {
        return key.startsWith("node.kubernetes.io/") || key.startsWith("node.cloudprovider.kubernetes.io/");
    }

    /**
     * Returns true if the taint is removed when the node becomes ready. These are the taints of Kubernetes itself, the
     * startup taints of Cluster Autoscaler (utils/taints/taints.go), the ephemeral taints of Karpenter
     * (pkg/scheduling/taints.go), and the taints that drivers and platforms set on a starting node, such as
     * {@code node.cilium.io/agent-not-ready} or the taint of NVIDIA's Skyhook.
     */
    public boolean isTemporary() {
        return isOfNodeState()
                || key.startsWith("startup-taint.cluster-autoscaler.kubernetes.io/")
                || key.startsWith("ignore-taint.cluster-autoscaler.kubernetes.io/")
                || key.startsWith("status-taint.cluster-autoscaler.kubernetes.io/")
                || key.startsWith("readiness.k8s.io/")
                || key.equals("karpenter.sh/unregistered")
                || (key.equals("skyhook.nvidia.com") && value.equals("runtime-required"))
                || (key.indexOf('/') > 0 && isOfStart());
    }

    private boolean isOfStart() {
        for (String end : OF_START) {
            if (key.endsWith(end)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if an autoscaler or a cloud sets the taint on a node before it removes the node: Cluster Autoscaler
     * (utils/taints/taints.go), Karpenter (v1 and before), AWS Node Termination Handler, and GKE.
     */
    public boolean isOfRemoval() {
        return key.equals("ToBeDeletedByClusterAutoscaler")
                || key.equals("karpenter.sh/disrupted")
                || key.equals("karpenter.sh/disruption")
                || key.startsWith("aws-node-termination-handler/")
                || key.equals("cloud.google.com/impending-node-termination");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.text();
    }
}
