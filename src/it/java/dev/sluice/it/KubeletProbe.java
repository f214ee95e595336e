package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Probes the management port as a kubelet does: each time on a new connection, and for a second at the longest.
 *
 * @param tls null if the port does not use TLS
 */
record KubeletProbe(int port, @Nullable SSLContext tls) {

    /** A kubelet acts after this many failures in a row by default. */
    static final int THRESHOLD = 3;

    static final String KUBELETS_ADDRESS = "127.0.0.2";
    static final String ATTACKERS_ADDRESS = "127.0.0.1";

    /** The kubelet waits this long by default. */
    private static final int TIMEOUT_MILLIS = 1_000;

    /** Returns why the probe failed. Returns empty if it succeeded. */
    Optional<String> failure(String path, String from) {
        try (RawConnection connection = connect(from)) {
            connection.send(get(path, "Connection: close\r\n"));
            int status = connection.answer().status();
            return status == 200 ? Optional.empty() : Optional.of(path + " " + status);
        } catch (IOException failure) {
            return Optional.of(path + " " + failure);
        }
    }

    RawConnection connect(String from) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        Socket socket = new Socket(loopback, port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return new RawConnection(
                tls == null
                        ? socket
                        : tls.getSocketFactory().createSocket(socket, "localhost", port, /* autoClose= */ true),
                TIMEOUT_MILLIS);
    }

    static byte[] get(String path, String header) {
        return "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                .formatted(path, header)
                .getBytes(UTF_8);
    }
}
