package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Sets the stage before the first test that needs it, and clears away after each. Classes that run at the same time
 * have stages of their own.
 */
final class StageExtension implements ExecutionCondition, ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(StageExtension.class);
    private static final boolean REQUIRED = Objects.equals(System.getProperty("controlplane"), "required");
    private static final String LEFT_OUT =
            "The tests against a real Kubernetes control plane were left out: go is not on the path to build it with.";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (REQUIRED || Programs.go().isPresent()) {
            return ConditionEvaluationResult.enabled("there is a go, or there has to be");
        }
        var _ = context.getRoot().getStore(OURS).computeIfAbsent(LEFT_OUT, line -> {
            System.out.println(line);
            return line;
        });
        return ConditionEvaluationResult.disabled(LEFT_OUT);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Cluster.class || type == Reserving.class || type == Replicas.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == Cluster.class) {
            return cluster(context);
        }
        Reserving reserving = reserving(context);
        return type == Reserving.class ? reserving : reserving.replicas();
    }

    private static Cluster cluster(ExtensionContext context) {
        return context.getStore(OURS).computeIfAbsent(Cluster.class, _ -> new Cluster(stage(context)), Cluster.class);
    }

    /** Kept with the class, so that it goes when the last of its tests is through. */
    private static Reserving reserving(ExtensionContext context) {
        // The stage is taken first, because JUnit closes what is stored last before it.
        Stage stage = stage(context);
        Class<?> tests = context.getRequiredTestClass();
        return ofClass(context).computeIfAbsent(Reserving.class, _ -> newReserving(stage, tests), Reserving.class);
    }

    private static Reserving newReserving(Stage stage, Class<?> tests) {
        ThreeReplicas three = tests.getAnnotation(ThreeReplicas.class);
        try {
            return three == null ? new Reserving(stage) : Reserving.shared(stage, three.shortWaits());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ExtensionContext.Store ofClass(ExtensionContext context) {
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent() || !ofClass.getTestClass().equals(context.getTestClass())) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        return ofClass.getStore(OURS);
    }

    private static Stage stage(ExtensionContext context) {
        Stages stages = context.getRoot().getStore(OURS).computeIfAbsent(Stages.class, _ -> new Stages(), Stages.class);
        return ofClass(context)
                .computeIfAbsent(Lent.class, _ -> stages.lend(), Lent.class)
                .setting()
                .stage();
    }

    /** The stages of this JVM: as many as there were classes at the same time. */
    private static final class Stages implements AutoCloseable {

        private final Queue<Setting> all = new ConcurrentLinkedQueue<>();
        private final Queue<Setting> free = new ConcurrentLinkedQueue<>();
        private final AtomicInteger number = new AtomicInteger();

        Lent lend() {
            Setting setting = free.poll();
            if (setting == null) {
                setting = Setting.attempt(number.incrementAndGet());
                all.add(setting);
            }
            return new Lent(this, setting);
        }

        void giveBack(Setting setting) {
            free.add(setting);
        }

        @Override
        public void close() throws IOException {
            for (Setting setting : all) {
                setting.close();
            }
        }
    }

    /** Holds the stage of a class until the class ends, and then returns it. */
    private record Lent(Stages stages, Setting setting) implements AutoCloseable {
        @Override
        public void close() {
            stages.giveBack(setting);
        }
    }

    /** Tried once: where the stage cannot be set, every test says so at once. */
    private record Setting(@Nullable Stage result, @Nullable Throwable failure) {

        static Setting attempt(int number) {
            try {
                return new Setting(new Stage(number), null);
            } catch (IOException | RuntimeException | AssertionError e) {
                return new Setting(null, e);
            }
        }

        Stage stage() {
            if (result == null) {
                throw new AssertionError("the control plane and its gateway could not be started", failure);
            }
            return result;
        }

        void close() throws IOException {
            if (result != null) {
                result.close();
            }
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException, InterruptedException {
        Cluster cluster = context.getStore(OURS).get(Cluster.class, Cluster.class);
        if (cluster == null) {
            return;
        }
        if (context.getExecutionException().isPresent()) {
            stage(context).markFailed();
            // Whatever state it is in: the next test shall not suffer from it.
            cluster.gateway().restart();
        }
        assertThat(cluster.forbidden())
                .as("what the gateway may not do and tried")
                .isEmpty();
    }
}
