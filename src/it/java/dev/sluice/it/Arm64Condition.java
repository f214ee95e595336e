package dev.sluice.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Says in one line that the image for arm64 is left out; where the control plane is required, what it needs is, too.
 */
final class Arm64Condition implements ExecutionCondition {

    static final String EMULATOR = "qemu-aarch64-static";
    static final Path LIBRARIES = Path.of("/usr/aarch64-linux-gnu/lib");

    private static final boolean REQUIRED = Objects.equals(System.getProperty("controlplane"), "required");
    private static final String LEFT_OUT =
            "The image for arm64 was left out: it needs Debian's packages qemu-user-static" + " and libc6-arm64-cross.";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean there = Programs.onPath(EMULATOR).isPresent() && Files.isDirectory(LIBRARIES);
        if (REQUIRED || there) {
            return ConditionEvaluationResult.enabled("there is an emulator, or there has to be");
        }
        System.out.println(LEFT_OUT);
        return ConditionEvaluationResult.disabled(LEFT_OUT);
    }
}
