package dev.sluice.cluster;

/** A taint of a node. The {@code value} is empty if the taint has none. */
public record Taint(String key, String value, Effect effect) {

    /** The taint of a cordoned node (scheduler plugin NodeUnschedulable). */
    public static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

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
     * Returns true if the effect is {@code NoSchedule} or {@code NoExecute}, so that the scheduler places no pod on the
     * node without a toleration.
     */
    public boolean keepsPodsOff() {
        return effect == Effect.NO_SCHEDULE || effect == Effect.NO_EXECUTE;
    }

    /**
     * Returns true if Kubernetes itself sets and removes the taint: for nodes that are not ready, under pressure or
     * being initialised.
     */
    public boolean isTemporary() {
        return key.startsWith("node.kubernetes.io/") || key.startsWith("node.cloudprovider.kubernetes.io/");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.text();
    }
}
