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
 * The TLS settings of a server, with a certificate and a key that were already checked.
 *
 * @param clientAuthorities the authorities that may sign client certificates; if the list is empty, clients need no
 *     certificate
 */
public record ServerTls(CertifiedKey identity, List<X509Certificate> clientAuthorities, TlsEngine engine) {

    /** The TLS versions. Kubernetes requires at least 1.2, and older versions are not safe. */
    public static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    /**
     * The cipher suites for both TLS versions. All of them have forward secrecy and authenticated encryption, as RFC
     * 9325 recommends. The TLS client of Go, and thereby every API server, offers all of them.
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

    /** Creates the settings for TLS without client certificates. */
    public static ServerTls open(CertifiedKey identity, TlsEngine engine) {
        return new ServerTls(identity, List.of(), engine);
    }

    /**
     * Adds the TLS options to the options of a server.
     *
     * <p>ALPN and HTTP/2 are off because the API server uses HTTP/1.1 for webhooks. SNI is off because there is only
     * one certificate. Certificates are passed as values, because Vert.x would not notice a changed file.
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
     * Returns the TLS options with which a listening server replaces its certificate. They contain all other options
     * again, because Vert.x would replace missing options by its defaults. For example, the server would no longer
     * require client certificates.
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
