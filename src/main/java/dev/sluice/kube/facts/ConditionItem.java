package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One condition in the status of an object. */
record ConditionItem(
        String type,
        String status,
        String reason,
        @JsonDeserialize(using = FactMessageReader.class) String message,
        @Nullable FactTimeText lastTransitionTime,
        @Nullable FactTimeText lastProbeTime,
        @Nullable FactTimeText lastHeartbeatTime) {

    private static final ConditionItem NONE = new ConditionItem("", "", "", "", null, null, null);

    /** Returns the first condition of this type. Returns a condition with empty texts if there is none. */
    static ConditionItem of(List<ConditionItem> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElse(NONE);
    }

    boolean isTrue() {
        return status.equals("True");
    }
}
