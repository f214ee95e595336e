package dev.sluice.it;

import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Says in one line that the tests are left out; where the control plane is required, Chromium is, too. */
final class ChromiumCondition implements ExecutionCondition {

    private static final boolean REQUIRED = Objects.equals(System.getProperty("controlplane"), "required");
    private static final String LEFT_OUT = "The tests of the console in a browser were left out: chromium is not on the"
            + " path; Debian's package chromium has it.";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (REQUIRED || Programs.onPath("chromium").isPresent()) {
            return ConditionEvaluationResult.enabled("there is a Chromium, or there has to be");
        }
        System.out.println(LEFT_OUT);
        return ConditionEvaluationResult.disabled(LEFT_OUT);
    }
}
