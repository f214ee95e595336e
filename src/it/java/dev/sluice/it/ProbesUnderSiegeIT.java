package dev.sluice.it;

import static dev.sluice.it.KubeletProbe.KUBELETS_ADDRESS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients without credentials, with one address or with many, take all connections of the management port. The
 * kubelet's probes are answered all the same: each on a connection of its own, within the second that the kubelet waits
 * by default.
 */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProbesUnderSiegeIT {

    private static final Duration ATTACK = Duration.ofSeconds(5);
    /** More than the port has connections. */
    private static final int ATTACKERS = 288;

    private Siege siege;
    private KubeletProbe probe;

    @BeforeAll
    void start() throws Exception {
        siege = Siege.on(new GeneratedCluster(500, 5_000), "");
        probe = new KubeletProbe(siege.managementPort(), /* tls= */ null);
    }

    @AfterAll
    void stop() throws Exception {
        siege.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void keptConnectionsThatComeBackAtOnce(int addresses) {
        byte[] request = KubeletProbe.get("/livez", "");
        answersProbes(new Attackers(ATTACKERS, ATTACK, (attacker, end) -> {
            while (System.nanoTime() < end) {
                try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                    connection.send(request);
                    var _ = connection.answer();
                    connection.awaitEnd();
                }
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void pipelinesOfQuestions(int addresses) {
        byte[] request = KubeletProbe.get("/api/v1/decisions?limit=1", "");
        byte[] sixteen = new String(request, UTF_8).repeat(16).getBytes(UTF_8);
        answersProbes(new Attackers(ATTACKERS, ATTACK, (attacker, end) -> {
            try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                while (System.nanoTime() < end) {
                    connection.send(sixteen);
                    for (int i = 0; i < 16; i++) {
                        var _ = connection.answer();
                    }
                }
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void theWholeFleetAgainAndAgain(int addresses) throws Exception {
        byte[] request = KubeletProbe.get("/api/v1/fleet", "");
        Attackers attack = new Attackers(ATTACKERS, ATTACK, (attacker, end) -> {
            try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                while (System.nanoTime() < end) {
                    connection.send(request);
                    var _ = connection.answer();
                }
            }
        });
        answersProbes(attack);
        assertThat(siege.peakBytes()).isLessThan(448L << 20);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void answersThatNobodyReads(int addresses) throws Exception {
        byte[] request = KubeletProbe.get("/api/v1/fleet", "");
        answersProbes(new Attackers(ATTACKERS, ATTACK, (attacker, _) -> {
            try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                connection.send(request);
                Pause.millis(1_000);
            }
        }));
        assertThat(siege.peakBytes()).isLessThan(448L << 20);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void bodiesThatDoNotCome(int addresses) {
        byte[] request = KubeletProbe.get("/metrics", "Content-Length: 1000\r\n");
        answersProbes(new Attackers(ATTACKERS, ATTACK, (attacker, _) -> {
            try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                connection.send(request);
                connection.awaitEnd();
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void connectionsThatSendNothing(int addresses) {
        answersProbes(new Attackers(ATTACKERS, ATTACK, (attacker, _) -> {
            try (RawConnection connection = probe.connect(address(attacker, addresses))) {
                connection.awaitEnd();
            }
        }));
    }

    /** Returns the address of an attacker, where the attackers have so many addresses together. */
    private static String address(int attacker, int addresses) {
        return "127.0.1." + (1 + attacker % addresses);
    }

    /**
     * All probes from the address of a kubelet are answered. Of those from the address of the attackers, fewer than
     * three in a row fail, which is what makes a kubelet act by default.
     */
    private void answersProbes(Attackers attack) {
        Thread attackers = Thread.ofPlatform().start(attack::run);
        List<String> refused = new ArrayList<>();
        int probes = 0;
        Map<String, Integer> failed = new TreeMap<>();
        int failedInARow = 0;
        while (attackers.isAlive()) {
            for (String path : List.of("/livez", "/readyz")) {
                probes++;
                probe.failure(path, KUBELETS_ADDRESS).ifPresent(refused::add);
                Optional<String> failure = probe.failure(path, address(0, 1));
                failure.ifPresent(why -> failed.merge(why, 1, Integer::sum));
                failedInARow = failure.isPresent() ? failedInARow + 1 : 0;
                assertThat(failedInARow).as("%s", failure).isLessThan(KubeletProbe.THRESHOLD);
            }
            Pause.millis(100);
        }
        System.out.println(probes + " probes of the kubelet, refused: " + refused
                + "; as many from the attackers' address, failed: " + failed);
        assertThat(probes).isGreaterThan(10);
        assertThat(refused).isEmpty();
        assertThat(siege.exitCode()).isEmpty();
    }
}
