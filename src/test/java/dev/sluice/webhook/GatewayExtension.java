package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts one {@link TestGateway} for the tests of a class, and fails each test in which a request holds the event loop
 * for more than 50 ms.
 */
final class GatewayExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {

    static final Duration LONGEST = Duration.ofMillis(50);

    /** The first handshakes and reviews of a JVM load and compile classes on the event loop. */
    private static final int WARMING_REVIEWS = 100;

    private static final Namespace NAMESPACE = Namespace.create(GatewayExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestGateway.class;
    }

    @Override
    public TestGateway resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The store closes it after the last test of the class.
        TestGateway gateway =
                context.getStore(NAMESPACE).computeIfAbsent(TestGateway.class, _ -> start(), TestGateway.class);
        var _ = context.getRoot().getStore(NAMESPACE).computeIfAbsent("warm", _ -> warm(gateway));
        return gateway;
    }

    private static TestGateway start() {
        try {
            return TestGateway.start();
        } catch (Exception failed) {
            throw new IllegalStateException("the gateway did not start", failed);
        }
    }

    private static boolean warm(TestGateway gateway) {
        try {
            for (int i = 0; i < WARMING_REVIEWS; i++) {
                gateway.stillServes();
            }
            return true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static TestGateway gateway(ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(NAMESPACE).get(TestGateway.class, TestGateway.class));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        var _ = gateway(context).loop.longest();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(gateway(context).loop.longest())
                .as("the longest time for which the event loop was held")
                .isLessThan(LONGEST);
    }
}
