package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
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

    /**
     * The first handshakes, reviews and refusals of a JVM load classes on the event loop, and run code that is not
     * compiled.
     */
    private static final int WARMING_REVIEWS = 100;

    private static final int WARMING_FLOODS = 5;
    private static final byte[] FLOOD =
            Requests.head("GET /healthz").repeat(20_000).getBytes(UTF_8);

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
        var _ = context.getRoot().getStore(NAMESPACE).computeIfAbsent("warm", _ -> warm());
        return gateway;
    }

    private static TestGateway start() {
        try {
            return TestGateway.start();
        } catch (Exception failed) {
            throw new IllegalStateException("the gateway did not start", failed);
        }
    }

    /** Another gateway, so that nothing of this is in the counts of a test. */
    private static boolean warm() {
        try (TestGateway gateway = start()) {
            for (int i = 0; i < WARMING_REVIEWS; i++) {
                gateway.stillServes();
            }
            for (int i = 0; i < WARMING_FLOODS; i++) {
                try (RawClient client = gateway.connect()) {
                    client.offer(FLOOD).join();
                }
            }
            return true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("the gateway was not warmed", interrupted);
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
