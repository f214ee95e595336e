package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scan of a running gateway: each protocol and suite that the JDK's client can offer is offered alone. What the JDK
 * cannot offer any more is sent as bytes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsFloorTest {

    private static final int PATIENCE_MILLIS = 10_000;

    private static final Set<String> MODERN = Set.copyOf(ServerTls.CIPHERS);

    /** Types of records, and of what is in them (RFC 5246, 6.2.1 and 7.2). */
    private static final int ALERT = 21;

    private static final int HANDSHAKE = 22;
    private static final int SERVER_HELLO = 2;
    private static final int FATAL = 2;

    private static final int TLS_1_0 = 0x0301;
    private static final int TLS_1_1 = 0x0302;
    private static final int TLS_1_2 = 0x0303;
    private static final int SSL_3 = 0x0300;

    /** TLS_ECDHE_{ECDSA,RSA}_WITH_AES_128_{GCM_SHA256,CBC_SHA}: the last two are what old protocols know. */
    private static final int[] COMMON_SUITES = {0xC02B, 0xC02F, 0xC009, 0xC013};

    /** Without forward secrecy, with 3DES, RC4 or CBC, without encryption, and without authentication. */
    private static final List<Integer> OLD_SUITES =
            List.of(0x002F, 0x009C, 0x000A, 0x0005, 0x0002, 0xC018, 0xC009, 0xC013, 0xC023, 0xC027);

    private final CertificateAuthority authority = Certificates.authority();
    private final List<Scanned> scanned = new ArrayList<>();

    private record Scanned(TlsEngine engine, GatewayUnderTest gateway, SSLContext client) {}

    private interface Scan {
        void of(int port, SSLContext client) throws Exception;
    }

    /** With an ECDSA and with an RSA certificate, since suites belong to one of them. */
    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        for (TlsEngine engine : TlsEngine.values()) {
            for (CertifiedKey pair : List.of(Certificates.leaf(authority), Certificates.rsaLeaf(authority))) {
                Path files = Files.createDirectory(directory.resolve("pair" + scanned.size()));
                TlsMount mount = TlsMount.of(files, TlsMount.secret(authority, pair));
                SSLContext client = TlsMount.client(null, authority);
                scanned.add(new Scanned(
                        engine,
                        GatewayUnderTest.start(mount.source(engine), ClientCertificateNames.ANY, client),
                        client));
            }
        }
    }

    /** Each waits for a second before it ends. */
    @AfterAll
    void stop() {
        scanned.parallelStream().map(Scanned::gateway).forEach(GatewayUnderTest::close);
    }

    private void withEachKeyType(TlsEngine engine, Scan scan) throws Exception {
        for (Scanned each : scanned) {
            if (each.engine == engine) {
                scan.of(each.gateway.port(), each.client);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesModernSuitesAndNoOthers(TlsEngine engine) throws Exception {
        Set<String> served = new TreeSet<>();
        withEachKeyType(engine, (port, client) -> {
            String[] all = client.getSupportedSSLParameters().getCipherSuites();
            assertThat(all).as("suites that the client can offer").hasSizeGreaterThan(MODERN.size());
            Stream.of(all)
                    .filter(suite -> !suite.endsWith("_SCSV"))
                    .filter(suite -> isServed(port, client, suite))
                    .forEach(served::add);
        });
        assertThat(served).containsExactlyInAnyOrderElementsOf(MODERN);
    }

    private static boolean isServed(int port, SSLContext client, String suite) {
        try (SSLSocket socket = connect(port, client)) {
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
            return true;
        } catch (IOException | IllegalArgumentException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesTheTwoProtocolsThatAreSafe(TlsEngine engine) throws Exception {
        withEachKeyType(engine, (port, client) -> {
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                try (SSLSocket socket = connect(port, client)) {
                    socket.setEnabledProtocols(new String[] {protocol});
                    socket.startHandshake();
                    assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void refusesOlderProtocols(TlsEngine engine) throws Exception {
        withEachKeyType(engine, (port, _) -> {
            assertThat(answerTo(port, hello(TLS_1_2, COMMON_SUITES, 0)).type())
                    .as("the same hello in TLS 1.2")
                    .isEqualTo(HANDSHAKE);
            for (int version : List.of(SSL_3, TLS_1_0, TLS_1_1)) {
                assertThat(answerTo(port, hello(version, COMMON_SUITES, 0)).isRefusal())
                        .as("version " + Integer.toHexString(version))
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void refusesOldSuitesThatTheJdkCannotOffer(TlsEngine engine) throws Exception {
        withEachKeyType(engine, (port, _) -> {
            for (int suite : OLD_SUITES) {
                assertThat(answerTo(port, hello(TLS_1_2, new int[] {suite}, 0)).isRefusal())
                        .as("suite " + Integer.toHexString(suite))
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void compressesNothing(TlsEngine engine) throws Exception {
        withEachKeyType(engine, (port, _) -> {
            Answer answer = answerTo(port, hello(TLS_1_2, COMMON_SUITES, 1));
            assertThat(answer.isRefusal() || answer.compression() == 0).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void doesNotRenegotiate(TlsEngine engine) throws Exception {
        withEachKeyType(engine, (port, client) -> {
            try (SSLSocket socket = connect(port, client)) {
                socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                socket.startHandshake();
                byte[] first = socket.getSession().getId();
                assertThat(isAnswered(socket)).as("before").isTrue();

                socket.startHandshake();

                assertThat(isAnswered(socket)
                                && !Arrays.equals(socket.getSession().getId(), first))
                        .as("a second handshake on the connection was done")
                        .isFalse();
            } catch (IOException ended) {
                // The connection ended, which is as good.
            }
        });
    }

    private static boolean isAnswered(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        byte[] answer = new byte[1024];
        return socket.getInputStream().read(answer) > 0;
    }

    private static SSLSocket connect(int port, SSLContext client) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** The first record of an answer; its body is empty if the connection just ended. */
    private record Answer(int type, ByteBuffer body) {

        boolean isRefusal() {
            return !body.hasRemaining() || (type == ALERT && body.get(0) == FATAL);
        }

        /** A server hello has its version, 32 random bytes and the session before the suite (RFC 5246, 7.4.1.3). */
        int compression() {
            assertThat(body.get(0)).isEqualTo((byte) SERVER_HELLO);
            int session = 4 + 2 + 32;
            return body.get(session + 1 + body.get(session) + 2);
        }
    }

    private static Answer answerTo(int port, byte[] hello) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(hello);
            DataInputStream records = new DataInputStream(socket.getInputStream());
            int kind = records.read();
            if (kind < 0) {
                return new Answer(kind, ByteBuffer.allocate(0));
            }
            records.skipNBytes(2);
            return new Answer(kind, ByteBuffer.wrap(records.readNBytes(records.readUnsignedShort())));
        }
    }

    /** A client hello (RFC 5246, 7.4.1.2) with P-256 and the usual signatures. Method 1 of compression is DEFLATE. */
    private static byte[] hello(int version, int[] suites, int compression) throws IOException {
        byte[] extensions = bytes(out -> {
            write(out, 10, new int[] {2, 0x0017});
            out.writeShort(11);
            out.writeShort(2);
            out.writeShort(0x0100);
            write(out, 13, new int[] {12, 0x0403, 0x0804, 0x0401, 0x0503, 0x0203, 0x0201});
        });
        byte[] body = bytes(out -> {
            out.writeShort(version);
            out.write(new byte[32]);
            out.writeByte(0);
            out.writeShort(2 * suites.length);
            for (int suite : suites) {
                out.writeShort(suite);
            }
            out.write(compression == 0 ? new byte[] {1, 0} : new byte[] {2, (byte) compression, 0});
            out.writeShort(extensions.length);
            out.write(extensions);
        });
        return bytes(out -> {
            out.writeByte(HANDSHAKE);
            out.writeShort(TLS_1_0);
            out.writeShort(body.length + 4);
            out.writeInt((1 << 24) | body.length);
            out.write(body);
        });
    }

    private static void write(DataOutputStream out, int extension, int[] shorts) throws IOException {
        out.writeShort(extension);
        out.writeShort(2 * shorts.length);
        for (int value : shorts) {
            out.writeShort(value);
        }
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writing.to(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
