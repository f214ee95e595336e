package dev.sluice.peers;

import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/** The address of another replica's port, as written in the Lease. */
record PeerMemberAddress(String host, int port) {

    private static final int HIGHEST_PORT = 65_535;

    /** Reads {@code host:port}, with an IPv6 address in brackets. Returns empty if the text is something else. */
    static Optional<PeerMemberAddress> of(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return port < 1 || port > HIGHEST_PORT
                    ? Optional.empty()
                    : Optional.of(new PeerMemberAddress(bracketed ? host.substring(1, host.length() - 1) : host, port));
        } catch (NumberFormatException notAPort) {
            return Optional.empty();
        }
    }

    SocketAddress socketAddress() {
        return SocketAddress.inetSocketAddress(port, host);
    }
}
