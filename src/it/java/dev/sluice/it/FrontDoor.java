package dev.sluice.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a Service is to the API server: one address, behind which a replica answers, if any may. */
final class FrontDoor implements AutoCloseable {

    private final ServerSocket door;
    private final Supplier<Optional<Gateway>> choice;

    /** Each new connection goes to the replica that is chosen then. */
    FrontDoor(Supplier<Optional<Gateway>> choice) throws IOException {
        this.choice = choice;
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var _ = Thread.ofVirtual().name("front door").start(this::accept);
    }

    /** The first replica that is ready at that moment. */
    static FrontDoor toFirstReady(List<Gateway> replicas) throws IOException {
        List<Gateway> behind = List.copyOf(replicas);
        return new FrontDoor(() -> behind.stream().filter(FrontDoor::isReady).findFirst());
    }

    boolean isClosed() {
        return door.isClosed();
    }

    String url() {
        return "https://127.0.0.1:" + door.getLocalPort() + "/mutate";
    }

    private void accept() {
        try {
            while (!door.isClosed()) {
                Socket caller = door.accept();
                var _ = Thread.ofVirtual().start(() -> connect(caller));
            }
        } catch (IOException closed) {
            if (!door.isClosed()) {
                throw new UncheckedIOException(closed);
            }
        }
    }

    /** Nobody is chosen: the caller is turned away at once, as by a Service without endpoints. */
    private void connect(Socket caller) {
        try (caller) {
            Optional<Gateway> chosen = choice.get();
            if (chosen.isPresent()) {
                try (Socket replica = new Socket(
                        InetAddress.getLoopbackAddress(), chosen.get().webhookPort())) {
                    Thread back = Thread.ofVirtual().start(() -> copy(replica, caller));
                    copy(caller, replica);
                    back.join();
                }
            }
        } catch (IOException gone) {
            // The caller sees its connection end.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if it has ended. */
    static boolean isReady(Gateway replica) {
        try {
            return replica.daemon().isAlive() && replica.isReady();
        } catch (IOException killed) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** When one side ends, so does the other. */
    private static void copy(Socket from, Socket to) {
        try (Socket source = from;
                Socket sink = to) {
            source.getInputStream().transferTo(sink.getOutputStream());
        } catch (IOException ended) {
            // As it should be.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
