package dev.sluice.node;

/** What keeps pods off a node unless they tolerate it; {@code value} is empty when the node gives none. */
public record Taint(String key, String value, Effect effect) {

    /** What a cordon counts as (scheduler plugin NodeUnschedulable). */
    public static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    /** {@code OTHER} is an effect this version does not know; like {@code PREFER_NO_SCHEDULE} it keeps no pod off. */
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

    /**
     * Set and removed by Kubernetes itself as a node comes and goes (not ready, under pressure, being initialised), so
     * it says nothing about what the cluster offers.
     */
    public boolean isPassing() {
        return key.startsWith("node.kubernetes.io/") || key.startsWith("node.cloudprovider.kubernetes.io/");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.text();
    }
}
