package dev.sluice.cluster;

/** A taint of a node; {@code value} is empty where it has none. */
public record Taint(String key, String value, Effect effect) {

    /** The taint of a cordoned node (scheduler plugin NodeUnschedulable). */
    public static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    /** {@code OTHER} is an unknown effect; like {@code PREFER_NO_SCHEDULE} it keeps no pod off. */
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

    /** Only these two keep the scheduler from placing a pod. */
    public boolean keepsPodsOff() {
        return effect == Effect.NO_SCHEDULE || effect == Effect.NO_EXECUTE;
    }

    /** Kubernetes itself sets and removes it, for nodes that are not ready, under pressure or being initialised. */
    public boolean isTemporary() {
        return key.startsWith("node.kubernetes.io/") || key.startsWith("node.cloudprovider.kubernetes.io/");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.text();
    }
}
