package dev.sluice.it;

import static dev.sluice.it.KubeletProbe.ATTACKERS_ADDRESS;
import static dev.sluice.it.KubeletProbe.KUBELETS_ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * With {@code management.access: kubernetes}, clients send invalid tokens by the hundred while the API server answers
 * no question about them. The kubelet's probes are answered all the same.
 */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuardedProbesUnderSiegeIT {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration ATTACK = Duration.ofSeconds(8);
    private static final int ATTACKERS = 64;

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final AtomicInteger tokens = new AtomicInteger();
    private final Undertaker undertaker = new Undertaker();
    private SlowApiServer server;
    private Daemon gateway;
    private KubeletProbe probe;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        server = new SlowApiServer();
        List<Integer> ports = Ports.free(2);
        int port = ports.getFirst();
        probe = new KubeletProbe(port, Trust.in(authority));
        CertifiedKey pair = authority.issue(
                new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1")),
                Instant.now(),
                Duration.ofDays(1));
        Files.writeString(directory.resolve("tls.crt"), pair.certificatePem());
        Files.writeString(directory.resolve("tls.key"), pair.keyPem());
        Path config = Files.writeString(directory.resolve("gateway.yaml"), """
                webhook: {host: 127.0.0.1, port: %d}
                management: {host: 127.0.0.1, port: %d, access: kubernetes}
                tls: {certificate: %4$s/tls.crt, key: %4$s/tls.key}
                kubernetes: {kubeconfig: %3$s}
                """.formatted(
                        ports.getLast(), port, server.kubeconfig(directory), directory));
        gateway = new Daemon(
                undertaker,
                directory.resolve("gateway.log"),
                List.of(Gateway.LAUNCHER.toString(), "serve", "--config", config.toString()),
                Map.of("SLUICE_JAVA_HOME", System.getProperty("java.home")));
        gateway.start();
        Eventually.within(
                START,
                "the guarded gateway is ready",
                () -> gateway.runs()
                        && probe.failure("/readyz", KUBELETS_ADDRESS).isEmpty());
    }

    @AfterAll
    void stop() throws Exception {
        gateway.kill();
        undertaker.finish();
        server.close();
    }

    @Test
    void invalidTokensOnConnectionsThatAreKept() {
        answersProbes(new Attackers(ATTACKERS, ATTACK, (_, end) -> {
            try (RawConnection connection = probe.connect(ATTACKERS_ADDRESS)) {
                while (System.nanoTime() < end) {
                    connection.send(withInvalidToken("/metrics"));
                    var _ = connection.answer();
                }
            }
        }));
        assertThat(server.asked()).as("questions about tokens").isPositive();
    }

    @Test
    void probesWithInvalidTokens() {
        answersProbes(new Attackers(ATTACKERS, ATTACK, (_, end) -> {
            try (RawConnection connection = probe.connect(ATTACKERS_ADDRESS)) {
                while (System.nanoTime() < end) {
                    connection.send(withInvalidToken("/readyz?verbose"));
                    var _ = connection.answer();
                }
            }
        }));
    }

    /** Fewer probes than make a kubelet act fail in a row, from the address of a kubelet and from the attackers'. */
    private void answersProbes(Attackers attack) {
        Thread attackers = Thread.ofPlatform().start(attack::run);
        List<String> refused = new ArrayList<>();
        int probes = 0;
        while (attackers.isAlive()) {
            for (String address : List.of(KUBELETS_ADDRESS, ATTACKERS_ADDRESS)) {
                for (String path : List.of("/livez", "/readyz")) {
                    probes++;
                    Optional<String> failure = probe.failure(path, address);
                    for (int i = 1; i < KubeletProbe.THRESHOLD && failure.isPresent(); i++) {
                        refused.add(address + failure.get());
                        failure = probe.failure(path, address);
                    }
                    assertThat(failure)
                            .as("the third probe of %s from %s", path, address)
                            .isEmpty();
                }
            }
            Pause.millis(100);
        }
        System.out.println(probes + " probes, failed once or twice: " + refused + ", tokens: " + tokens.get());
        assertThat(probes).isGreaterThan(10);
        assertThat(gateway.exitCode()).isEmpty();
    }

    private byte[] withInvalidToken(String path) {
        return KubeletProbe.get(path, "Authorization: Bearer invalid-" + tokens.incrementAndGet() + "\r\n");
    }
}
