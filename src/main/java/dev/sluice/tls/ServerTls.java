package dev.sluice.tls;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;

/**
 * The TLS of a server, whose certificate and key were checked.
 *
 * @param clientAuthorities one of them must have signed the certificate of a client; if empty, clients need none
 */
public record ServerTls(CertifiedKey identity, List<X509Certificate> clientAuthorities, TlsEngine engine) {

    /** Kubernetes asks for at least 1.2, and nothing older is safe. */
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    public ServerTls {
        clientAuthorities = List.copyOf(clientAuthorities);
    }

    /** TLS without client certificates. */
    public static ServerTls open(CertifiedKey identity, TlsEngine engine) {
        return new ServerTls(identity, List.of(), engine);
    }

    /**
     * Sets the options that concern TLS.
     *
     * <p>ALPN, and with it HTTP/2, is off because the API server speaks HTTP/1.1 to Services. SNI is off because there
     * is one certificate. PEM is given by value, because Vert.x takes a path that it knows for unchanged content.
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
