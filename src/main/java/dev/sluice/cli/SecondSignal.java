package dev.sluice.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first signal begins an orderly end, and a second one ends the process at once. The JVM itself ignores the second.
 * The class for it is in jdk.unsupported, and the compiler would warn of its name.
 */
final class SecondSignal {

    private static final Logger LOG = LoggerFactory.getLogger(SecondSignal.class);

    private static final int SIGNAL_BASE = 128;

    private SecondSignal() {}

    /** Where the JVM has no such class, a second signal is ignored as before. */
    static void endsAtOnce() {
        try {
            AtomicBoolean ending = new AtomicBoolean();
            handle("TERM", SIGNAL_BASE + 15, ending);
            handle("INT", SIGNAL_BASE + 2, ending);
        } catch (ReflectiveOperationException | RuntimeException missing) {
            LOG.debug("a second signal will be ignored", missing);
        }
    }

    private static void handle(String name, int exitCode, AtomicBoolean ending) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object counting = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> {
            if (ending.getAndSet(true)) {
                Runtime.getRuntime().halt(exitCode);
            }
            // It does not return before the shutdown hooks have ended, and each signal has a thread of its own.
            Runtime.getRuntime().exit(exitCode);
            return null;
        });
        var _ = signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), counting);
    }
}
