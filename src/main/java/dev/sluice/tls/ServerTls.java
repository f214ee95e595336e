package dev.sluice.tls;

import dev.sluice.tls.pem.CertifiedKey;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;

/**
 * Everything a server needs to speak TLS, checked.
 *
 * @param clientAuthorities clients must show a certificate from one of these; empty: nothing is asked of them
 */
public record ServerTls(CertifiedKey identity, List<X509Certificate> clientAuthorities, TlsEngine engine) {

    /** Kubernetes asks for at least 1.2, and nothing older is safe. */
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    public ServerTls {
        clientAuthorities = List.copyOf(clientAuthorities);
    }

    /** For a server that lets every client in. */
    public static ServerTls open(CertifiedKey identity, TlsEngine engine) {
        return new ServerTls(identity, List.of(), engine);
    }

    /**
     * Sets all that concerns TLS and returns the same options.
     *
     * <p>Without ALPN, and so without HTTP/2, because the API server speaks HTTP/1.1 to Services; without SNI, because
     * there is one certificate. PEM by value, because Vert.x takes the same path for the same content.
     */
    public HttpServerOptions secure(HttpServerOptions options) {
        HttpServerOptions secured = options.setSsl(true)
                .setSslEngineOptions(engine.options())
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(identity.certificatePem()))
                        .addKeyValue(Buffer.buffer(identity.keyPem())))
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false)
                .setSni(false);
        return clientAuthorities.isEmpty()
                ? secured.setClientAuth(ClientAuth.NONE)
                : secured.setClientAuth(ClientAuth.REQUIRED)
                        .setTrustOptions(
                                new PemTrustOptions().addCertValue(Buffer.buffer(CertifiedKey.pem(clientAuthorities))));
    }
}
