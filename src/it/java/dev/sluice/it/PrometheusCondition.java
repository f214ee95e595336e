package dev.sluice.it;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Says in one line that the tests are left out; where the control plane is required, Prometheus is, too. */
final class PrometheusCondition implements ExecutionCondition {

    private static final boolean REQUIRED = Objects.equals(System.getProperty("controlplane"), "required");
    private static final String LEFT_OUT =
            "The tests of rules and dashboard were left out: prometheus and promtool are not"
                    + " on the path; Debian's package prometheus has both.";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean there = Stream.of("prometheus", "promtool")
                .allMatch(program -> Programs.onPath(program).isPresent());
        if (REQUIRED || there) {
            return ConditionEvaluationResult.enabled("there is a Prometheus, or there has to be");
        }
        System.out.println(LEFT_OUT);
        return ConditionEvaluationResult.disabled(LEFT_OUT);
    }
}
