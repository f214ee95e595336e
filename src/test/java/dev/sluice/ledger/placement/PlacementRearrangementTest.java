package dev.sluice.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.Palette;
import dev.sluice.ledger.placement.PlacementReservation.Promise;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt that finds no room changes nothing. */
class PlacementRearrangementTest {

    private record NodeState(String node, List<Long> free, List<Long> reserved, List<PlacementReservation> inOrder) {}

    private final PlacementNodes nodes = new PlacementNodes();
    private final PlacementNodeIndex index = new PlacementNodeIndex();
    private int rearranged;

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsUndoneLeavesNoTrace(long seed) {
        int failed = 0;
        SplittableRandom random = new SplittableRandom(seed);
        Palette palette = new Palette(random, 6);
        for (int i = 0; i < 6; i++) {
            show(palette, "n" + i);
        }
        for (int i = 0; i < 150; i++) {
            PlacementReservation newcomer = new PlacementReservation(
                    new PlacementReservation.ExistingPod("r" + i), promise(random), demand(palette));
            List<NodeState> before = nodeStates();
            if (!finds(newcomer)) {
                failed++;
                assertThat(nodeStates()).isEqualTo(before);
            }
            leave(random);
        }
        assertThat(failed).isGreaterThan(10);
        assertThat(rearranged).as("found room among others").isPositive();
    }

    private void show(Palette palette, String name) {
        NodeEvent seen = new NodeEvent.NodeSeen(palette.node(name, 1));
        var _ = nodes.apply(seen);
        var _ = index.update(nodes, seen);
    }

    private static Promise promise(SplittableRandom random) {
        return random.nextInt(4) == 0 ? Promise.NOTHING : Promise.ROOM;
    }

    private static PlacementDemand demand(Palette palette) {
        return new PlacementDemand(palette.need(), palette.constraints(), null, PodPriority.NORMAL);
    }

    private boolean finds(PlacementReservation newcomer) {
        var free = index.find(newcomer.need(), newcomer.constraints());
        free.ifPresent(newcomer.unplace()::place);
        boolean found = free.isPresent() || new PlacementRearrangement(index).makeRoomFor(newcomer);
        rearranged += found && free.isEmpty() ? 1 : 0;
        return found;
    }

    private List<NodeState> nodeStates() {
        return index.withReservations().stream()
                .map(usage -> new NodeState(
                        usage.name(),
                        amounts(usage.free()),
                        amounts(usage.reserved()),
                        List.copyOf(usage.reservations())))
                .toList();
    }

    private static List<Long> amounts(Amounts amounts) {
        return LongStream.of(Palette.vector(amounts)).boxed().toList();
    }

    /** Now and then one is removed, to make room for the next. */
    private void leave(SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            index.withReservations().stream()
                    .skip(random.nextInt(Math.max(1, index.withReservations().size())))
                    .findFirst()
                    .ifPresent(usage -> {
                        var _ = usage.reservations().getFirst().unplace();
                    });
        }
    }
}
