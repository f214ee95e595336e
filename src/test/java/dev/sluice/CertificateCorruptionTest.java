package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.log.LogLines;
import dev.sluice.reload.CertificateVerticle;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.TlsEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Pairs that nobody could use take the place of a good one. {@code -Dtls.corruptions=500} runs the long version. */
class CertificateCorruptionTest {

    private static final int CORRUPTIONS = Integer.getInteger("tls.corruptions", 60);

    private static final String REFUSED = "gpu_webhook_certificate_reloads_total{result=\"refused\"}";
    private static final String FILES_REFUSED = "gpu_webhook_certificate_files_refused";

    @TempDir
    private Path directory;

    private final CertificateAuthority authority = Certificates.authority();
    private final CertifiedKey good = Certificates.leaf(authority);
    private final CertifiedKey stranger = Certificates.leaf(authority);

    /** The ways in which files go wrong. */
    private enum Corruption {
        TRUNCATED_CERTIFICATE,
        TRUNCATED_KEY,
        SWAPPED,
        MIXED,
        STRANGE_CURVE,
        EXPIRED,
        NOT_YET_VALID,
        EMPTY,
        UNREADABLE,
        MISSING,
        BROKEN_BYTES,
        FOREIGN_CHAIN
    }

    private Map<String, String> corrupt(Corruption corruption, Random random) {
        String certificate = stranger.certificatePem();
        String key = stranger.keyPem();
        return switch (corruption) {
            case TRUNCATED_CERTIFICATE -> pair(cut(certificate, random), key);
            case TRUNCATED_KEY -> pair(certificate, cut(key, random));
            case SWAPPED -> pair(key, certificate);
            case MIXED -> random.nextBoolean() ? pair(good.certificatePem(), key) : pair(certificate, good.keyPem());
            case STRANGE_CURVE -> pair(Certificates.STRANGE_CERTIFICATE, Certificates.STRANGE_KEY);
            case EXPIRED -> pair(Certificates.authority().issue(names(), at(-3), Duration.ofDays(1)));
            case NOT_YET_VALID -> pair(authority.issue(names(), at(2), Duration.ofDays(3)));
            case EMPTY -> random.nextBoolean() ? pair("", key) : pair(certificate, "");
            case UNREADABLE -> Map.of("tls.crt", certificate);
            case MISSING -> Map.of();
            case BROKEN_BYTES ->
                Map.of("tls.crt", broken(certificate, random), "tls.key", key, "ca.crt", authority.certificatePem());
            case FOREIGN_CHAIN -> pair(certificate + Certificates.authority().certificatePem(), key);
        };
    }

    private static Map<String, String> pair(String certificate, String key) {
        return Map.of("tls.crt", certificate, "tls.key", key);
    }

    private static Map<String, String> pair(CertifiedKey pair) {
        return pair(pair.certificatePem(), pair.keyPem());
    }

    private static ServerCertificateNames names() {
        return new ServerCertificateNames(List.of("localhost"), List.of());
    }

    private static Instant at(int days) {
        return Certificates.NOW.plus(Duration.ofDays(days));
    }

    /** Somewhere before the end of the last line. */
    private static String cut(String pem, Random random) {
        return pem.substring(0, random.nextInt(pem.length() - 10));
    }

    /** Some characters in the middle are exchanged, so that the signature cannot hold. */
    private static String broken(String pem, Random random) {
        int at = 60 + random.nextInt(100);
        return pem.substring(0, at) + "AAAAAAAA" + pem.substring(at + 8);
    }

    @ParameterizedTest
    @EnumSource
    void theLastGoodPairIsServedOn(TlsEngine engine) throws Exception {
        Random random = new Random(14);
        TlsMount mount = TlsMount.of(directory, TlsMount.secret(authority, good));
        SSLContext client = TlsMount.client(null, authority);
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(mount.source(engine), ClientCertificateNames.ANY, client)) {
            for (int i = 0; i < CORRUPTIONS; i++) {
                Corruption corruption = Corruption.values()[i % Corruption.values().length];
                double refused = gateway.metric(REFUSED);
                mount.swap(corrupt(corruption, random));
                await(gateway, REFUSED, refused + 1, corruption);
                assertThat(TlsMount.served(client, gateway.port()))
                        .as(corruption.name())
                        .isEqualTo(good.certificate());
                if (i % 10 == 7) {
                    mount.swap(TlsMount.secret(authority, good));
                    await(gateway, FILES_REFUSED, 0, corruption);
                }
            }
            assertThat(gateway.metric("gpu_webhook_faults_total")).isZero();
            assertThat(gateway.page("/readyz?verbose"))
                    .contains("[+] certificate: valid until ")
                    .contains("    the new certificate cannot be used: ");
        }
    }

    private static void await(GatewayUnderTest gateway, String name, double value, Object what) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (gateway.metric(name) != value) {
            assertThat(System.nanoTime())
                    .as(what + ": " + name + " is " + value)
                    .isLessThan(end);
            Thread.sleep(5);
        }
    }

    /** Not by a link: an editor or a copy writes the files one after the other, in place. */
    @Test
    void filesThatAreOverwrittenDeletedAndRenamedAreFollowed() throws Exception {
        Path plain = Files.createDirectory(directory.resolve("plain"));
        write(plain, good);
        TlsMount mount = new TlsMount(plain);
        SSLContext client = TlsMount.client(null, authority);
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(mount.source(TlsEngine.best()), ClientCertificateNames.ANY, client)) {
            Files.writeString(plain.resolve("tls.crt"), stranger.certificatePem());
            await(gateway, FILES_REFUSED, 1, "only the certificate is new");
            Files.writeString(plain.resolve("tls.key"), stranger.keyPem());
            CertificateReloadTest.awaitServed(client, gateway, stranger.certificate());

            Files.delete(plain.resolve("tls.key"));
            await(gateway, FILES_REFUSED, 1, "the key is gone");
            assertThat(TlsMount.served(client, gateway.port())).isEqualTo(stranger.certificate());
            Files.writeString(plain.resolve("beside"), good.keyPem());
            Files.writeString(plain.resolve("tls.crt"), good.certificatePem());
            Files.move(plain.resolve("beside"), plain.resolve("tls.key"));
            CertificateReloadTest.awaitServed(client, gateway, good.certificate());
            assertThat(gateway.metric(FILES_REFUSED)).isZero();
        }
    }

    /** Nothing changes in the files when the moment comes. */
    @Test
    void aPairIsServedOnceItIsValid() throws Exception {
        // An authority dates certificates back by five minutes.
        Instant shortly = Instant.now().plus(Duration.ofMinutes(5)).plusSeconds(3);
        CertifiedKey early = authority.issue(names(), shortly, Duration.ofDays(1));
        TlsMount mount = TlsMount.of(directory, TlsMount.secret(authority, good));
        SSLContext client = TlsMount.client(null, authority);
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(mount.source(TlsEngine.best()), ClientCertificateNames.ANY, client)) {
            mount.swap(TlsMount.secret(authority, early));
            await(gateway, FILES_REFUSED, 1, "not valid yet");

            CertificateReloadTest.awaitServed(client, gateway, early.certificate());
            assertThat(gateway.metric(REFUSED))
                    .as("the same refusal is no news")
                    .isEqualTo(1);
        }
    }

    private static void write(Path directory, CertifiedKey pair) throws IOException {
        for (Map.Entry<String, String> file : new HashMap<>(pair(pair)).entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }

    @Test
    void oneLineNamesTheFileAndTheCause() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(CertificateVerticle.class);
        LogLines lines = new LogLines();
        logger.addAppender(lines);
        TlsMount mount = TlsMount.of(directory, TlsMount.secret(authority, good));
        SSLContext client = TlsMount.client(null, authority);
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(mount.source(TlsEngine.best()), ClientCertificateNames.ANY, client)) {
            mount.swap(pair(stranger.certificatePem(), good.keyPem()));
            await(gateway, FILES_REFUSED, 1, "mixed");

            List<ILoggingEvent> warnings = lines.list.stream()
                    .filter(line -> line.getLevel() == Level.WARN)
                    .toList();
            assertThat(warnings).hasSize(1);
            assertThat(warnings.getFirst().getFormattedMessage())
                    .isEqualTo("the changed certificate files cannot be used; serving the former certificate");
            assertThat(warnings.getFirst().getKeyValuePairs().getFirst().value)
                    .asString()
                    .contains(directory + "/tls.key does not belong to " + directory + "/tls.crt");
        } finally {
            logger.detachAppender(lines);
        }
    }
}
