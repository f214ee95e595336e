package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Ports of loopback that were free a moment ago. No caller gets one that another was given, in this JVM or in another
 * one that runs tests at the same time.
 */
public final class Ports {

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();
    /** Each of so many JVMs takes other ports. */
    private static final int FORKS = 4;

    private static final int FORK = Integer.getInteger("fork", 1);

    private Ports() {}

    /** The kernel may offer a port twice until somebody listens there. */
    public static int free() {
        int port = offered();
        while (!isOurs(port) || !GIVEN.add(port)) {
            port = offered();
        }
        return port;
    }

    public static List<Integer> free(int count) {
        return Stream.generate(Ports::free).limit(count).toList();
    }

    /** The kernel prefers odd ports for those who listen, so the last bit tells nothing. */
    private static boolean isOurs(int port) {
        return (port >> 1) % FORKS == FORK % FORKS;
    }

    private static int offered() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
