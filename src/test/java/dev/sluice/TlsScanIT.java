package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scan of a running gateway, by the JDK and by openssl: whatever is not TLS 1.2 or 1.3 with a modern cipher is
 * refused.
 */
class TlsScanIT {

    @TempDir
    private Path directory;

    private final CertificateAuthority authority = Certificates.authority();

    private GatewayUnderTest start(TlsEngine engine) throws Exception {
        TlsMount mount = TlsMount.of(directory, TlsMount.secret(authority, TlsMount.leaf(authority)));
        return GatewayUnderTest.start(
                mount.source(engine), ClientCertificateNames.ANY, TlsMount.client(null, authority));
    }

    private boolean shakesHands(GatewayUnderTest gateway, String protocol, String cipher) throws Exception {
        SSLContext client = TlsMount.client(null, authority);
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", gateway.port())) {
            socket.setSoTimeout(10_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.setEnabledCipherSuites(new String[] {cipher});
            socket.startHandshake();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesModernCiphersOnly(TlsEngine engine) throws Exception {
        List<String> known = List.of(SSLContext.getDefault().createSSLEngine().getSupportedCipherSuites());
        try (GatewayUnderTest gateway = start(engine)) {
            for (String cipher : known) {
                String protocol = cipher.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3";
                boolean expected = ServerTls.CIPHERS.contains(cipher) && !cipher.contains("_RSA_");
                assertThat(shakesHands(gateway, protocol, cipher)).as(cipher).isEqualTo(expected);
            }
            assertThat(gateway.metric("gpu_webhook_handshake_failures_total{cause=\"ciphers\"}"))
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesOldVersionsRenegotiationAndCompression(TlsEngine engine) throws Exception {
        try (GatewayUnderTest gateway = start(engine)) {
            for (String version : List.of("-tls1", "-tls1_1")) {
                assertThat(openssl(gateway, "", version, "-cipher", "ALL:@SECLEVEL=0"))
                        .as(version)
                        .contains("Cipher is (NONE)");
            }
            assertThat(openssl(gateway, "", "-tls1_2")).contains("Compression: NONE", "Cipher is ECDHE-ECDSA-");
            // The letter R at the begin of a line asks for a renegotiation.
            String renegotiated = openssl(gateway, "R\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "-tls1_2");
            assertThat(renegotiated).contains("RENEGOTIATING").doesNotContain("HTTP/1.1 200");
            assertThat(gateway.metric("gpu_webhook_handshake_failures_total{cause=\"version\"}"))
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsWhyHandshakesFail(TlsEngine engine) throws Exception {
        try (GatewayUnderTest gateway = start(engine)) {
            SSLContext distrusting = TlsMount.client(null, Certificates.authority());
            assertThatThrownBy(() -> TlsMount.served(distrusting, gateway.port()))
                    .isInstanceOf(SSLException.class);
            try (Socket plain = new Socket("localhost", gateway.port())) {
                plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(plain.getInputStream().read()).isLessThan(22);
            }
            new Socket("localhost", gateway.port()).close();
            for (String cause : List.of("refused_by_client", "not_tls", "closed")) {
                await(gateway, "gpu_webhook_handshake_failures_total{cause=\"" + cause + "\"}");
            }
            assertThat(gateway.metric("gpu_webhook_handshake_failures_total{cause=\"other\"}"))
                    .isZero();
        }
    }

    private static void await(GatewayUnderTest gateway, String series) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (gateway.metric(series) == 0) {
            assertThat(System.nanoTime())
                    .as(() -> series + " is 0: " + handshakes(gateway))
                    .isLessThan(end);
            Thread.sleep(10);
        }
    }

    private static String handshakes(GatewayUnderTest gateway) {
        try {
            return gateway.page("/metrics")
                    .lines()
                    .filter(line -> line.startsWith("gpu_webhook_handshake_failures_total"))
                    .toList()
                    .toString();
        } catch (IOException | InterruptedException failed) {
            return failed.toString();
        }
    }

    private static String openssl(GatewayUnderTest gateway, String input, String... options) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of("timeout", "3", "openssl", "s_client", "-connect", "localhost:" + gateway.port()),
                        Stream.of(options))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        if (input.isEmpty()) {
            process.getOutputStream().close();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
