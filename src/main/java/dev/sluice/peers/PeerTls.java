package dev.sluice.peers;

import dev.sluice.tls.CertificateNameTrust;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.ServerTls;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.util.Set;

/**
 * The TLS options of the port for other replicas, and of the connections to other replicas. A replica uses the same
 * certificate as a server and as a client. Both sides check certificates by the same rules.
 */
final class PeerTls {

    /** The TLS version. Both sides are replicas, so no older version is needed. */
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3");

    private final ServerTls tls;
    private final TrustOptions trust;

    PeerTls(ServerTls tls) {
        this.tls = tls;
        this.trust = TrustOptions.wrap(new CertificateNameTrust(tls.clientAuthorities(), CertificateUse.PEER_NAME));
    }

    HttpServerOptions server(HttpServerOptions options) {
        return tls.secure(options).setEnabledSecureTransportProtocols(PROTOCOLS).setTrustOptions(trust);
    }

    ServerSSLOptions serverRenewal() {
        ServerSSLOptions renewed = tls.renewal();
        renewed.setEnabledSecureTransportProtocols(PROTOCOLS).setTrustOptions(trust);
        return renewed;
    }

    /**
     * Adds the TLS options to the options of a client. The client does not verify host names, because the trust options
     * already check the name in the certificate.
     */
    <O extends ClientOptionsBase> O client(O options) {
        ClientSSLOptions renewal = clientRenewal();
        options.setSsl(true)
                .setSslEngineOptions(tls.engine().options())
                .setKeyCertOptions(renewal.getKeyCertOptions())
                .setTrustOptions(renewal.getTrustOptions())
                .setUseAlpn(false)
                .setEnabledSecureTransportProtocols(PROTOCOLS);
        ServerTls.CIPHERS.forEach(options::addEnabledCipherSuite);
        return options;
    }

    ClientSSLOptions clientRenewal() {
        ClientSSLOptions renewed = new ClientSSLOptions();
        renewed.setKeyCertOptions(tls.renewal().getKeyCertOptions())
                .setTrustOptions(trust)
                .setUseAlpn(false)
                .setEnabledSecureTransportProtocols(PROTOCOLS);
        renewed.setHostnameVerificationAlgorithm("");
        ServerTls.CIPHERS.forEach(renewed::addEnabledCipherSuite);
        return renewed;
    }
}
