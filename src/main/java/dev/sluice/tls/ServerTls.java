package dev.sluice.tls;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
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
    public static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    /**
     * The suites of both protocols with forward secrecy and authenticated encryption, of which Go's client, and so
     * every API server, offers each. RFC 9325 recommends no others.
     */
    public static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

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
                .setKeyCertOptions(keyAndCertificate())
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false)
                .setSni(false)
                .setClientAuth(clientAuth());
        CIPHERS.forEach(secured::addEnabledCipherSuite);
        return clientAuthorities.isEmpty() ? secured : secured.setTrustOptions(trust());
    }

    /**
     * The same options for a server that listens already. They are complete: Vert.x takes what is missing for its
     * default, so that options without client authorities would no longer ask clients for a certificate.
     */
    public ServerSSLOptions renewal() {
        ServerSSLOptions renewed = new ServerSSLOptions()
                .setKeyCertOptions(keyAndCertificate())
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setUseAlpn(false)
                .setSni(false)
                .setClientAuth(clientAuth());
        CIPHERS.forEach(renewed::addEnabledCipherSuite);
        return clientAuthorities.isEmpty() ? renewed : renewed.setTrustOptions(trust());
    }

    private PemKeyCertOptions keyAndCertificate() {
        return new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(identity.certificatePem()))
                .addKeyValue(Buffer.buffer(identity.keyPem()));
    }

    private ClientAuth clientAuth() {
        return clientAuthorities.isEmpty() ? ClientAuth.NONE : ClientAuth.REQUIRED;
    }

    private PemTrustOptions trust() {
        return new PemTrustOptions().addCertValue(Buffer.buffer(CertifiedKey.pem(clientAuthorities)));
    }
}
