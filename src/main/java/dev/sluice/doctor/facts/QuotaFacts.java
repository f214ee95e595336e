package dev.sluice.doctor.facts;

import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Map;

/** A ResourceQuota. */
public record QuotaFacts(
        String namespace,
        String name,
        Map<String, Quantity> hard,
        Map<String, Quantity> used,
        List<QuotaScope> scopes) {

    /** A scope, or a requirement of the scope selector: {@code PriorityClass In [high]}. */
    public record QuotaScope(String name, String operator, List<String> values) {

        /** Scopes that are not known here hold for no pod. */
        public boolean covers(PodGpuDemand pod) {
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

    public boolean covers(PodGpuDemand pod) {
        return namespace.equals(pod.namespace()) && scopes.stream().allMatch(scope -> scope.covers(pod));
    }
}
