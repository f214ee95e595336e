package dev.sluice.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Gets the certificate chain that a server sends, even if no client would trust it. It makes a TLS handshake and sends
 * nothing else.
 */
final class CertsShowServedChain {

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int HTTPS_PORT = 443;

    private CertsShowServedChain() {}

    /** Returns the chain of this server. Throws IllegalArgumentException if the address has no host. */
    static List<X509Certificate> of(URI server) throws IOException {
        if (server.getHost() == null) {
            throw new IllegalArgumentException("the address has no host");
        }
        List<X509Certificate> shown = new ArrayList<>();
        int port = server.getPort() < 0 ? HTTPS_PORT : server.getPort();
        try (Socket wire = new Socket()) {
            wire.connect(new InetSocketAddress(server.getHost(), port), PATIENCE_MILLIS);
            wire.setSoTimeout(PATIENCE_MILLIS);
            shakeHands(wire, server.getHost(), port, shown);
        } catch (IOException failed) {
            // If the server requires a client certificate, the handshake fails. That is no problem, because the server
            // sends its own certificate earlier.
            if (shown.isEmpty()) {
                throw failed;
            }
        }
        return shown;
    }

    private static void shakeHands(Socket wire, String host, int port, List<X509Certificate> shown) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Recorder(shown)}, null);
            try (SSLSocket tls =
                    (SSLSocket) context.getSocketFactory().createSocket(wire, host, port, /* autoClose= */ true)) {
                tls.startHandshake();
            }
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Records every chain and accepts it. That is safe, because the chain is only printed and nothing is sent to the
     * server.
     */
    private static final class Recorder extends X509ExtendedTrustManager {

        private final List<X509Certificate> shown;

        Recorder(List<X509Certificate> shown) {
            this.shown = shown;
        }

        private void record(X509Certificate[] chain) {
            shown.addAll(List.of(chain));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            record(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            record(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            record(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
