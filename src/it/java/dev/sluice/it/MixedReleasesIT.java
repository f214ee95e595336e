package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.it.TimedPods.Answered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three replicas that share their reservations are upgraded from an earlier version, one after the other, and back.
 * Each is told to stop in the middle of a burst, with devices of its own. {@code -Dshared.from=COMMIT} names another
 * version.
 */
@AgainstControlPlane
@Isolated
@Tag("campaign")
class MixedReleasesIT {

    /** One for each replica that is stopped. No pod gets another one in place of what it asks for. */
    private static final List<String> DEVICES =
            List.of("nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb");

    private static final String POLICY = "policy: {mode: availability, whenExhausted: deny, chains: {}}\n";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeEach
    void podsAreRefusedOnWhichNobodyDecides(Cluster cluster) {
        ReplicasIT.failurePolicy(cluster, "Fail");
    }

    @AfterEach
    void nothingIsRefusedAnyMore(Cluster cluster) {
        ReplicasIT.failurePolicy(cluster, "Ignore");
    }

    @Test
    void replicasOfTwoReleasesShareTheirReservationsInAnUpgrade(Cluster cluster) throws Exception {
        replaceEach(cluster, PreviousVersion.sharing().launcher(), Gateway.LAUNCHER);
    }

    @Test
    void andOnTheWayBack(Cluster cluster) throws Exception {
        replaceEach(cluster, Gateway.LAUNCHER, PreviousVersion.sharing().launcher());
    }

    private static void replaceEach(Cluster cluster, Path from, Path to) throws Exception {
        Path launcher = cluster.plane().scratch("release").resolve("sluice");
        install(launcher, from);
        try (AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway());
                Replicas replicas =
                        new Replicas(cluster.plane(), mode, "mixed", POLICY, DEVICES.size(), launcher).settled()) {
            mode.register(replicas.url(), replicas.authorities());
            mode.awaitAsked(replicas.holder(), "default");
            Map<String, String> offered = DEVICES.stream()
                    .collect(Collectors.toMap(device -> device, _ -> Integer.toString(ReplicasIT.DEVICES_OF_A_NODE)));
            for (int i = 0; i < ReplicasIT.NODES; i++) {
                cluster.addNode("worker-" + i, offered);
            }
            TimedReviews.offer(cluster);
            replicas.awaitNodes(cluster);
            install(launcher, to);
            // The holder is the first, so that each version leads and follows.
            List<Gateway> inOrder = new ArrayList<>(List.of(replicas.holder()));
            inOrder.addAll(replicas.others(inOrder.getFirst()));
            try (TimedReviews reviews = TimedReviews.begin(replicas.all(), cluster.sibling("-reviews"))) {
                for (int i = 0; i < DEVICES.size(); i++) {
                    replaceInABurst(cluster, replicas, inOrder.get(i), DEVICES.get(i), to);
                    for (Gateway each : replicas.all()) {
                        // It fails if this replica, whatever its version, gets no review decided.
                        var _ = reviews.gapAfter(System.nanoTime(), List.of(each), PATIENCE);
                    }
                }
            }
        }
    }

    private static void install(Path launcher, Path version) throws IOException {
        Files.deleteIfExists(launcher);
        Files.createSymbolicLink(launcher, version);
    }

    /** All replicas are in sync again afterwards, and all devices are in use, none twice. */
    private static void replaceInABurst(
            Cluster cluster, Replicas replicas, Gateway replaced, String device, Path version) throws Exception {
        String holder = replicas.holderIdentity();
        try (Witness witness = ReplicasIT.slow(cluster, "of-" + DEVICES.indexOf(device), replicas.holder())) {
            TimedPods pods = TimedPods.burst(cluster, witness.namespace(), device);
            pods.more(ReplicasIT.BEFORE);
            replaced.stop();
            ReplicasIT.start(replicas);
            assertThat(commandOf(replaced)).contains(home(version));
            pods.awaitExhausted(PATIENCE);
            witness.delay(Duration.ZERO);
            List<Answered> undecided = ReplicasIT.judge(cluster, witness.namespace(), device, pods);
            System.out.printf(
                    "releases: %s was replaced, the lease went from %s to %s, term %d; %d pods got no decision%n",
                    replaced.daemon().log().getFileName(),
                    holder,
                    replicas.holderIdentity(),
                    replicas.term(),
                    undecided.size());
            // On a busy machine a review can take longer than the API server waits.
            assertThat(undecided).allSatisfy(pod -> assertThat(pod.message()).contains("context deadline exceeded"));
        }
    }

    private static String commandOf(Gateway gateway) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(gateway.daemon().pid()), "cmdline"));
    }

    private static String home(Path launcher) throws IOException {
        return launcher.toRealPath().resolve("../..").normalize().toString();
    }
}
