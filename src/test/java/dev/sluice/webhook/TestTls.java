package dev.sluice.webhook;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.Socket;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority for one test class, servers that it vouches for and clients that trust it. */
public final class TestTls {

    private final Instant now = Instant.now();
    private final CertificateAuthority authority = CertificateAuthority.create(now, Duration.ofDays(2));
    private final SSLContext trusting = trusting(authority);

    public HttpServerOptions secure(HttpServerOptions options, TlsEngine engine) {
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1"));
        return ServerTls.open(authority.issue(names, now, Duration.ofDays(1)), engine)
                .secure(options);
    }

    public RawClient connect(int port) throws IOException {
        Socket wire = new Socket("localhost", port);
        return new RawClient(
                wire, trusting.getSocketFactory().createSocket(wire, "localhost", port, /* autoClose= */ true));
    }

    private static SSLContext trusting(CertificateAuthority authority) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("ca", authority.identity().certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
