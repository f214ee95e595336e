package dev.sluice.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A port in front of another port. A test stops the bytes of a direction: they are not lost, as TCP does not lose them,
 * and arrive late when the test lets them pass again. The connections stay open meanwhile.
 */
final class TcpProxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;
    private static final int BACKLOG = 512;
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final int target;
    private final Directions directions;
    private final ServerSocket door;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Whether bytes pass now.
     *
     * @param there from the caller to the other port
     * @param back from the other port to the caller
     */
    record Directions(BooleanSupplier there, BooleanSupplier back) {}

    /** Listens at this address, on this port or, if that is 0, on a free one. */
    TcpProxy(InetSocketAddress address, int target, Directions directions) throws IOException {
        this.target = target;
        this.directions = directions;
        door = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
        var _ = start("proxy of " + target, this::accept);
    }

    /** All connections, in both directions. */
    static TcpProxy stoppable(int target, BooleanSupplier passes) throws IOException {
        return new TcpProxy(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), target, new Directions(passes, passes));
    }

    /** Threads of the operating system, because nothing else of a test shall keep the bytes waiting. */
    private static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() {
        try {
            while (!door.isClosed()) {
                Socket caller = door.accept();
                var _ = start("proxied", () -> connect(caller));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void connect(Socket caller) {
        try (caller;
                Socket called = new Socket(InetAddress.getLoopbackAddress(), target)) {
            caller.setTcpNoDelay(true);
            called.setTcpNoDelay(true);
            open.add(caller);
            Thread back = start("proxied back", () -> copy(called, caller, directions.back));
            copy(caller, called, directions.there);
            back.join();
        } catch (IOException gone) {
            // The caller sees its connection end.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(caller);
        }
    }

    /** When one side ends, so does the other, unless its bytes are stopped: then nobody hears of the end either. */
    private void copy(Socket from, Socket to, BooleanSupplier passes) {
        try (Socket source = from;
                Socket sink = to) {
            InputStream in = source.getInputStream();
            OutputStream out = sink.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                await(passes);
                out.write(buffer, 0, count);
            }
            await(passes);
        } catch (IOException ended) {
            // As it should be.
        }
    }

    /** Breaks all connections, as a network does. New ones are taken. */
    void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void await(BooleanSupplier passes) {
        while (!passes.getAsBoolean() && !door.isClosed()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        cut();
    }
}
