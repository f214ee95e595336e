package dev.sluice.doctor.facts;

import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Map;

/** Describes a ResourceQuota. */
public record QuotaFacts(
        String namespace,
        String name,
        Map<String, Quantity> hard,
        Map<String, Quantity> used,
        List<QuotaScope> scopes) {

    /**
     * Describes a scope of a quota, or one requirement of its scope selector, for example {@code PriorityClass In
     * [high]}.
     */
    public record QuotaScope(String name, String operator, List<String> values) {

        /** Returns true if the scope applies to the pod. Returns false for scopes that this method does not know. */
        public boolean covers(PodDemandFacts pod) {
            return switch (name) {
                case "PriorityClass" -> coversClass(pod.priorityClass());
                case "Terminating" -> pod.hasDeadline();
                case "NotTerminating" -> !pod.hasDeadline();
                case "NotBestEffort" -> true;
                default -> false;
            };
        }

        private boolean coversClass(String priorityClass) {
            return switch (operator) {
                case "In" -> values.contains(priorityClass);
                case "NotIn" -> !values.contains(priorityClass);
                case "Exists" -> !priorityClass.isEmpty();
                case "DoesNotExist" -> priorityClass.isEmpty();
                default -> false;
            };
        }
    }

    public boolean covers(PodDemandFacts pod) {
        return namespace.equals(pod.namespace()) && scopes.stream().allMatch(scope -> scope.covers(pod));
    }
}
