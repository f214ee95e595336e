package dev.sluice.lease;

import static dev.sluice.lease.Desk.isGiven;
import static dev.sluice.lease.Desk.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerStatistics.DecisionCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions whose pods never appear leave others their share. */
class HoardingTest {

    private final Desk desk = new Desk(25);

    private long gaveWay() {
        return desk.ledger.statistics().decisions().preempted();
    }

    private static NodeConstraints in(String zone) {
        return new NodeConstraints(null, Map.of("zone", zone), null, List.of());
    }

    @Test
    void whoTakesEverythingForPodsThatNeverAppearKeepsHalfAgainstOneOther() {
        assertThat(desk.promised("hoard", 25, 8)).isEqualTo(25);

        // Twelve of its pods take less than half of 200 devices, and thirteen take more.
        assertThat(desk.promised("other", 200, 1)).isEqualTo(200 - 12 * 8);
        assertThat(desk.promised("hoard", 25, 8)).as("what is left to take").isZero();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    /** The oldest one is the likeliest to appear in the next moment. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theNewestDecisionGivesWay(int nodes) {
        Desk small = new Desk(IntStream.range(0, nodes)
                .mapToObj(i -> Desk.node("n" + i, Map.of(), Desk.machine(8 / nodes)))
                .toList());
        List<String> stamps = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            stamps.add(Desk.stamp(small.decide(small.question("hoard", "pod-" + i, pod(1)))));
        }
        assertThat(isGiven(small.decide(small.question("other", "only", pod(1)))))
                .isTrue();

        for (int i = 0; i < 8; i++) {
            assertThat(small.ledger.statistics().decisions().late())
                    .as("before pod %d appears", i)
                    .isZero();
            small.appears("hoard/pod-" + i, 1, stamps.get(i));
        }
        assertThat(small.ledger.statistics().decisions().late()).isEqualTo(1);
    }

    /** Neither those that were seen count nor those that are awaited. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void podsOnNodesThatThePodCannotUseDoNotCountAgainstItsNamespace(int seen) {
        Desk zones = new Desk(List.of(
                Desk.node("a", Map.of("zone", "a"), Desk.machine(8)),
                Desk.node("b", Map.of("zone", "b"), Desk.machine(8))));
        for (int i = 0; i < 8; i++) {
            Verdict elsewhere = zones.decide(zones.question("other", "there-" + i, pod(1, 0, in("b"))));
            if (i < seen) {
                zones.appears("other/there-" + i, 1, Desk.stamp(elsewhere), in("b"));
            }
        }
        for (int i = 0; i < 8; i++) {
            assertThat(isGiven(zones.decide(zones.question("hoard", "pod-" + i, pod(1, 0, in("a"))))))
                    .isTrue();
        }

        assertThat(isGiven(zones.decide(zones.question("other", "here", pod(1, 0, in("a"))))))
                .isTrue();
    }

    @Test
    void andAThirdAgainstTwo() {
        assertThat(desk.promised("hoard", 200, 1)).isEqualTo(200);

        long one = 0;
        long two = 0;
        for (int i = 0; i < 200; i++) {
            one += desk.promised("one", 1, 1);
            two += desk.promised("two", 1, 1);
        }
        assertThat(one).isBetween(66L, 67L);
        assertThat(two).isBetween(66L, 67L);
    }

    @Test
    void whoeverComesLastGetsAShareAgainstManyInConcert() {
        for (int i = 0; i < 9; i++) {
            desk.promised("gang-" + i, 200, 1);
        }

        assertThat(desk.promised("last", 200, 1)).isEqualTo(20);
    }

    @Test
    void theHoardersOwnNextPodsTakeNothingBack() {
        desk.promised("hoard", 25, 8);
        assertThat(desk.promised("other", 10, 8)).isEqualTo(10);

        assertThat(desk.promised("hoard", 100, 1)).isZero();
        assertThat(desk.promised("third", 4, 8)).isEqualTo(4);
    }

    @Test
    void aBurstWhosePodsAppearKeepsWhatItWasPromised() {
        for (int i = 0; i < 180; i++) {
            Verdict verdict = desk.decide("burst", 1);
            desk.appears("burst/p" + i, 1, Desk.stamp(verdict));
        }
        assertThat(desk.promised("burst", 20, 1)).as("on their way").isEqualTo(20);

        assertThat(isGiven(desk.decide("other", 1))).isFalse();
        assertThat(gaveWay()).isZero();
    }

    @Test
    void podsThatWereDeletedDoNotCount() {
        for (int i = 0; i < 180; i++) {
            Verdict verdict = desk.decide("burst", 1);
            desk.appears("burst/p" + i, 1, Desk.stamp(verdict));
            desk.disappears("burst/p" + i);
        }
        assertThat(desk.promised("burst", 25, 8)).isEqualTo(25);

        assertThat(desk.promised("other", 200, 1)).isEqualTo(200 - 12 * 8);
    }

    @Test
    void podsThatWereConfirmedLongAgoDoNotCount() {
        for (int i = 0; i < 100; i++) {
            desk.appears("burst/p" + i, 1, Desk.stamp(desk.decide("burst", 1)));
        }
        desk.passes(11);
        assertThat(desk.promised("burst", 200, 1)).isEqualTo(100);

        assertThat(desk.promised("other", 200, 1)).isEqualTo(50);
    }

    @Test
    void theLastDeviceStaysWithWhoeverWasPromisedItFirst() {
        Desk small = new Desk(List.of(Desk.node("n", Map.of(), Desk.machine(1))));
        assertThat(isGiven(small.decide("first", 1))).isTrue();

        assertThat(isGiven(small.decide("second", 1))).isFalse();
    }

    @Test
    void noMoreIsPreemptedThanIsNeeded() {
        desk.promised("hoard", 200, 1);

        assertThat(desk.promised("other", 3, 1)).isEqualTo(3);
        assertThat(gaveWay()).isEqualTo(3);
    }

    @Test
    void aPreemptedPodIsPlacedAgainAndKeepsItsPromiseWhenItAppears() {
        List<String> stamps = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            stamps.add(Desk.stamp(desk.decide("slow", 8)));
        }
        assertThat(isGiven(desk.decide("other", 8))).isTrue();
        assertThat(desk.ledger.statistics().unplaced()).isEqualTo(1);
        assertThat(desk.ledger.statistics().overcommitted())
                .as("nobody counts on it yet")
                .isZero();

        stamps.forEach(stamp -> desk.appears("slow/" + stamp, 8, stamp));

        assertThat(desk.ledger.statistics().overcommitted())
                .as("its author was told that there is room")
                .isEqualTo(1);
        assertThat(desk.ledger.statistics().evictions()).isEqualTo(1);
        desk.disappears("slow/" + stamps.getFirst());
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    @Test
    void aDryRunIsToldWhatItWouldGetAndPreemptsNothing() {
        desk.promised("hoard", 25, 8);
        DecideRequest real = desk.question("other", "probe", pod(1));
        DecideRequest dry = new DecideRequest(
                real.uid(),
                real.podName(),
                real.owner(),
                DecideRequest.ReviewEffect.DRY_RUN,
                real.pod(),
                real.policy(),
                new BusRequestDeadline(0));

        for (int i = 0; i < 10; i++) {
            assertThat(isGiven(desk.decide(dry))).isTrue();
        }
        assertThat(gaveWay()).isZero();
        assertThat(desk.ledger.statistics().assumed()).isEqualTo(25);
    }

    /** There is plenty on other nodes, which this pod may not use. */
    @Test
    void aHoardOfTheOnlyNodesThatAPodMayUseIsShared() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            nodes.add(Desk.node("n" + i, Map.of("zone", i < 2 ? "rare" : "plenty"), Desk.machine(8)));
        }
        Desk zoned = new Desk(nodes);
        for (int i = 0; i < 16; i++) {
            assertThat(isGiven(zoned.decide(zoned.question("hoard", "h" + i, pod(1, 0, in("rare"))))))
                    .isTrue();
        }

        long given = IntStream.range(0, 16)
                .filter(i -> isGiven(zoned.decide(zoned.question("other", "o" + i, pod(1, 0, in("rare"))))))
                .count();
        assertThat(given).isEqualTo(8);
    }

    /** One device on each node leaves no room for pods that need whole nodes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aHoardThatIsSpreadThinLeavesWholeNodes(int hoarders) {
        List<Node> nodes = IntStream.range(0, 24)
                .mapToObj(i -> Desk.node("n" + i, Map.of("zone", "z" + i), Desk.machine(8)))
                .toList();
        Desk zoned = new Desk(nodes);
        for (int i = 0; i < 24; i++) {
            for (int who = 0; who < hoarders; who++) {
                assertThat(isGiven(zoned.decide(zoned.question("hoard-" + who, "h" + i, pod(1, 0, in("z" + i))))))
                        .isTrue();
            }
        }

        assertThat(zoned.promised("other", 24, 8)).isBetween(24L / (hoarders + 1) - 1, 24L);
    }

    /** The devices are free, but the processors are not. */
    @Test
    void aHoardOfProcessorsIsSharedLikeOneOfDevices() {
        for (int i = 0; i < 25; i++) {
            assertThat(isGiven(desk.decide(desk.question("hoard", "h" + i, pod(1, 64, NodeConstraints.NONE)))))
                    .isTrue();
        }

        long given = IntStream.range(0, 100)
                .filter(i -> isGiven(desk.decide(desk.question("other", "o" + i, pod(1, 16, NodeConstraints.NONE)))))
                .count();
        assertThat(given).isEqualTo((25 - 12) * 4);
    }

    @Test
    void whoWantsMoreThanItsShareTakesNothing() {
        Desk small = new Desk(1);
        small.promised("hoard", 8, 1);

        assertThat(isGiven(small.decide("other", 5))).isFalse();
        assertThat(small.ledger.statistics().decisions().preempted()).isZero();
        assertThat(isGiven(small.decide("other", 4))).isTrue();
    }

    /** A pod that needs more than its share of one resource gets no more of another. */
    @Test
    void aShareOfOneThingIsNoTitleToAnother() {
        Desk small = new Desk(1);
        assertThat(isGiven(small.decide(small.question("first", "a", pod(1, 60, NodeConstraints.NONE)))))
                .isTrue();

        assertThat(isGiven(small.decide(small.question("other", "b", pod(8, 8, NodeConstraints.NONE)))))
                .isFalse();
    }

    private static NodeConstraints large(int serial) {
        return new NodeConstraints(null, Map.of("zone", serial + "x".repeat(60_000)), null, List.of());
    }

    /** Such pods wait for nodes that do not exist, so that nothing is preempted. */
    private static Verdict waits(Desk where, String namespace, int serial) {
        return where.decide(where.waiting(namespace, "p" + serial, pod(1, 0, large(serial))));
    }

    @Test
    void oneNamespaceCannotFillTheMemory() {
        int kept = 1;
        Verdict last = waits(desk, "hoard", 0);
        for (int i = 1; i < 500; i++) {
            last = waits(desk, "hoard", i);
            kept += Desk.stamp(last).isEmpty() ? 0 : 1;
        }

        assertThat(kept).isBetween(40, 60);
        DecisionCounts counts = desk.ledger.statistics().decisions();
        assertThat(counts.bytes()).isLessThan(6 << 20);
        assertThat(counts.ofNamespace()).isEqualTo(500 - kept);
        assertThat(Wording.of(last).warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .isEqualTo("namespace hoard has "
                                + desk.ledger.statistics().assumed()
                                + " pods on their way (6 MiB), the most that one namespace may have; nothing is reserved for"
                                + " this pod until it exists")
                        .hasSizeLessThanOrEqualTo(240));
        assertThat(Desk.stamp(desk.decide("other", 1))).isNotEmpty();
    }

    @Test
    void manyNamespacesCannotFillTheMemoryNorKeepANewOneOut() {
        for (int i = 0; i < 1_000; i++) {
            var _ = waits(desk, "hoard-" + i % 20, i);
        }

        DecisionCounts counts = desk.ledger.statistics().decisions();
        assertThat(counts.bytes()).isLessThanOrEqualTo(24 << 20);
        assertThat(counts.inAll()).isPositive();
        long before = desk.ledger.statistics().assumed();
        assertThat(Desk.stamp(waits(desk, "small", 1_000))).isNotEmpty();
        assertThat(desk.ledger.statistics().assumed()).isEqualTo(before);
    }

    @Test
    void aDecisionThatIsTooLargeByItselfIsTakenWithAWarning() {
        Verdict verdict = desk.decide(desk.waiting(
                "team",
                "p",
                pod(1, 0, new NodeConstraints(null, Map.of("zone", "x".repeat(70_000)), null, List.of()))));

        assertThat(desk.ledger.statistics().decisions().bySize()).isEqualTo(1);
        assertThat(Wording.of(verdict).warnings())
                .anyMatch(warning -> warning.startsWith("where it may run takes more than 64 KiB to say;"));
    }

    @Test
    void nothingIsLeftOfAHoardOnceItsPodsCanNoLongerCome() {
        desk.promised("hoard", 25, 8);
        var _ = desk.decide("other", 1);
        desk.passes(34);
        desk.hearsAll();

        assertThat(desk.ledger.statistics().decisions().bytes()).isZero();
        assertThat(desk.ledger.freeOf(ResourceName.NVIDIA_GPU)).isEqualTo(200);
        assertThat(desk.ledger.isFree(Amounts.of(ResourceName.NVIDIA_GPU, 8), NodeConstraints.NONE))
                .isTrue();
    }
}
