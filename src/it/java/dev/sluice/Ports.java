package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Ports of loopback that were free a moment ago. No caller gets one that another was given. */
public final class Ports {

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** The kernel may offer a port twice until somebody listens there. */
    public static int free() {
        int port = offered();
        while (!GIVEN.add(port)) {
            port = offered();
        }
        return port;
    }

    public static List<Integer> free(int count) {
        return Stream.generate(Ports::free).limit(count).toList();
    }

    private static int offered() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
