package dev.sluice.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once on a second signal. The first signal starts an orderly shutdown. By default, the JVM would
 * ignore all further signals during the shutdown. The JDK's class for signals is used by reflection, because the
 * compiler would warn about a direct use of the module jdk.unsupported.
 */
final class ServeSecondSignal {

    private static final Logger LOG = LoggerFactory.getLogger(ServeSecondSignal.class);

    private static final int SIGNAL_BASE = 128;

    private ServeSecondSignal() {}

    /** Installs the signal handlers. If the JVM does not have the class for signals, a second signal is ignored. */
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
            // This call blocks until the shutdown hooks have ended. A second signal is still handled in the meantime,
            // because the JVM handles each signal in a thread of its own.
            Runtime.getRuntime().exit(exitCode);
            return null;
        });
        var _ = signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), counting);
    }
}
