package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws that hold after any history. */
class LawsTest {

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** A cluster with a random history, and its log. */
    private static World lived(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Palette palette = new Palette(random, 4);
        World world = new World(random, palette, 4);
        for (int i = 0; i < 300; i++) {
            Pod pod = world.anyPod();
            switch (random.nextInt(8)) {
                case 0 -> world.changeNode();
                case 1, 2 -> {
                    if (pod != null) {
                        world.proceed(pod);
                    }
                }
                case 3 -> {
                    if (pod != null) {
                        world.resize(pod);
                    }
                }
                case 4 -> {
                    if (pod != null) {
                        world.remove(pod);
                    }
                }
                default -> create(world, palette, random);
            }
        }
        return world;
    }

    private static void create(World world, Palette palette, SplittableRandom random) {
        if (!world.isFull()) {
            Pod.Place place = random.nextInt(5) == 0
                    ? new Pod.Place.Bound(palette.nodeName())
                    : random.nextInt(5) == 0
                            ? new Pod.Place.Gated()
                            : new Pod.Place.Unbound(palette.constraints(), null);
            world.create("team", place, palette.need(), "");
        }
    }

    private static void tell(Ledger ledger, ClusterEvent event) {
        var _ = ledger.apply(event);
    }

    private static Ledger blank() {
        Ledger ledger = new Ledger();
        tell(ledger, new NodeEvent.NodesListed(List.of(), 1));
        tell(ledger, new PodEvent.ListEnded(1, Story.START));
        return ledger;
    }

    private static Ledger replayed(List<? extends ClusterEvent> events) {
        Ledger ledger = blank();
        events.forEach(event -> tell(ledger, event));
        return ledger;
    }

    private static List<ClusterEvent> log(World world) {
        List<ClusterEvent> all = new ArrayList<>(world.nodeLog);
        all.addAll(world.podLog);
        return all;
    }

    private static Ledger listed(World world) {
        Ledger ledger = new Ledger();
        relist(ledger, world);
        return ledger;
    }

    private static void relist(Ledger ledger, World world) {
        tell(ledger, new NodeEvent.NodesListed(List.copyOf(world.nodes.values()), world.version()));
        tell(ledger, new PodEvent.ListBegun());
        world.pages().forEach(page -> tell(ledger, new PodEvent.PodsPage(page)));
        tell(ledger, new PodEvent.ListEnded(world.version(), Story.START));
    }

    private static Map<String, Map<String, Long>> allocated(Ledger ledger) {
        return ledger.usage().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> amounts(one.getValue().allocated())));
    }

    /** The usage without amounts of 0. */
    private static Map<String, Long> amounts(Amounts amounts) {
        return Palette.NAMES.stream()
                .filter(name -> amounts.get(name) != 0)
                .collect(Collectors.toMap(Object::toString, amounts::get));
    }

    private static Set<String> podUsages(Ledger ledger) {
        return ledger.podUsages().stream()
                .map(podUsage -> podUsage.pod() + " on " + podUsage.node() + " " + podUsage.requests())
                .collect(Collectors.toSet());
    }

    private static void assertAlike(Ledger one, Ledger other) {
        assertThat(allocated(one)).isEqualTo(allocated(other));
        assertThat(podUsages(one)).isEqualTo(podUsages(other));
        assertThat(one.statistics().pods()).isEqualTo(other.statistics().pods());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replayingAHistoryEqualsListingItsEnd(long seed) {
        World world = lived(seed);
        assertAlike(replayed(log(world)), listed(world));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderInWhichEventsArriveIsIrrelevant(long seed) {
        World world = lived(seed);
        List<ClusterEvent> shuffled = new ArrayList<>(log(world));
        Collections.shuffle(shuffled, new Random(seed));
        assertAlike(replayed(shuffled), listed(world));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anEventThatIsAppliedTwiceCountsOnce(long seed) {
        World world = lived(seed);
        Ledger ledger = listed(world);
        Map<String, LedgerNodeUsage> usage = ledger.usage();
        log(world).forEach(event -> tell(ledger, event));
        assertThat(ledger.usage()).isEqualTo(usage);
        relist(ledger, world);
        assertThat(ledger.usage()).isEqualTo(usage);
        assertThat(ledger.statistics().auditDifference()).isEqualTo(LedgerStatistics.AuditDifference.NONE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theAuditFindsNothingAfterAnyHistory(long seed) {
        World world = lived(seed);
        Ledger ledger = replayed(log(world));
        relist(ledger, world);
        assertThat(ledger.statistics().auditDifference()).isEqualTo(LedgerStatistics.AuditDifference.NONE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsAssumedAndExpiresLeavesNoTrace(long seed) {
        Ledger ledger = replayed(log(lived(seed)));
        Palette palette = new Palette(new SplittableRandom(seed + 1), 4);
        Map<String, Map<String, Long>> reserved = reserved(ledger);
        List<LedgerPodUsage> podUsages = ledger.podUsages();
        LedgerStatistics standing = ledger.statistics();
        for (int i = 0; i < 5; i++) {
            assume(ledger, "s" + i, palette.need(), palette.constraints());
        }
        assertThat(ledger.statistics().assumed()).isEqualTo(5);
        tell(ledger, new PodEvent.PodsSyncedUpTo(Story.START.plusSeconds(34)));
        assertThat(reserved(ledger)).isEqualTo(reserved);
        assertThat(ledger.podUsages()).containsExactlyInAnyOrderElementsOf(podUsages);
        assertThat(ledger.statistics()).isEqualTo(standing);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPreemptedDecisionThatExpiresLeavesNoTrace(long seed) {
        Ledger ledger = replayed(log(lived(seed)));
        Palette palette = new Palette(new SplittableRandom(seed + 1), 4);
        Map<String, Map<String, Long>> reserved = reserved(ledger);
        LedgerStatistics before = ledger.statistics();
        for (int i = 0; i < 40; i++) {
            PlacementRequest decided = new PlacementRequest(
                    "s" + i,
                    i < 20 ? "hoard" : "other" + i % 2,
                    palette.need(),
                    palette.constraints(),
                    /* promised= */ true);
            if (ledger.isFree(decided.need(), decided.constraints())
                    || ledger.isFreeByPreemption(decided, Story.START)) {
                var _ = ledger.assume(decided, Story.START);
            }
            assertThat(ledger.statistics().overcommitted()).isLessThanOrEqualTo(before.overcommitted());
        }
        tell(ledger, new PodEvent.PodsSyncedUpTo(Story.START.plusSeconds(34)));
        assertThat(reserved(ledger)).isEqualTo(reserved);
        LedgerStatistics after = ledger.statistics();
        assertThat(after.decisions().bytes()).isZero();
        assertThat(after.unplaced()).isEqualTo(before.unplaced());
        assertThat(after.overcommitted()).isEqualTo(before.overcommitted());
        assertThat(after.evictions()).isEqualTo(before.evictions());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCopyHasTheSameRoom(long seed) {
        Ledger ledger = replayed(log(lived(seed)));
        Palette palette = new Palette(new SplittableRandom(seed + 1), 4);
        for (int i = 0; i < 10; i++) {
            assume(ledger, "s" + i, palette.need(), palette.constraints());
        }
        Ledger copy = new Ledger();
        tell(copy, new NodeEvent.NodesListed(List.copyOf(ledger.snapshot().nodesByName()), 1));
        tell(copy, new PodEvent.ListBegun());
        tell(copy, new PodEvent.PodsPage(ledger.copyOfPods()));
        tell(copy, new PodEvent.ListEnded(1, Story.START));

        assertThat(allocated(copy)).isEqualTo(allocated(ledger));
        assertThat(reserved(copy)).isEqualTo(reserved(ledger));
        for (int i = 0; i < 200; i++) {
            Amounts need = palette.need();
            NodeConstraints constraints = palette.constraints();
            PodPriority priority = new PodPriority(i % 3, /* preempts= */ true);
            assertThat(copy.isFree(need, constraints)).isEqualTo(ledger.isFree(need, constraints));
            assertThat(copy.isFreeByPriority(need, constraints, priority))
                    .isEqualTo(ledger.isFreeByPriority(need, constraints, priority));
        }
    }

    private static Map<String, Map<String, Long>> reserved(Ledger ledger) {
        return ledger.usage().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> amounts(one.getValue().reserved())));
    }

    private static void assume(Ledger ledger, String stamp, Amounts need, NodeConstraints constraints) {
        boolean room = ledger.isFree(need, constraints);
        ledger.assume(new PlacementRequest(stamp, "team", need, constraints, room), Story.START);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsAssumedAndConfirmedCountsOnce(long seed) {
        World world = lived(seed);
        Ledger ledger = replayed(log(world));
        Palette palette = new Palette(new SplittableRandom(seed + 1), 4);
        for (Node node : world.nodes.values()) {
            Amounts need = palette.need();
            NodeConstraints there = new NodeConstraints(node.name(), Map.of(), null, List.of());
            long before = taken(ledger, node.name());
            boolean room = ledger.isFree(need, there);
            assume(ledger, "s" + node.name(), need, there);
            long assumed = taken(ledger, node.name());
            assertThat(assumed - before).isEqualTo(room ? need.get(Palette.GPU) + need.get(Palette.SLICE) : 0);
            world.create("team", new Pod.Place.Bound(node.name()), need, "s" + node.name());
            tell(ledger, world.podLog.getLast());
            if (room) {
                assertThat(taken(ledger, node.name())).isEqualTo(assumed);
            }
            assertThat(ledger.isAssumed("s" + node.name(), "team")).isFalse();
        }
    }

    private static long taken(Ledger ledger, String node) {
        LedgerNodeUsage usage = ledger.usage().getOrDefault(node, LedgerNodeUsage.NONE);
        Amounts both = usage.allocated().plus(usage.reserved());
        return both.get(Palette.GPU) + both.get(Palette.SLICE);
    }
}
