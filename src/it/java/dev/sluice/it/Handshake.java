package dev.sluice.it;

import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A handshake that accepts every certificate, to see which one is shown. */
final class Handshake {

    private static final int PATIENCE_MILLIS = 5_000;

    private Handshake() {}

    /** The serial of the certificate behind this port of loopback, in hexadecimal digits. */
    static String serial(int port) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Everybody()}, new SecureRandom());
            try (SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.startHandshake();
                return SelfManagedMode.serial(
                        (X509Certificate) socket.getSession().getPeerCertificates()[0]);
            }
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class Everybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
