package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** However many pods are evicted at once, the stack stays as small as it is for one. */
class ManyPodsTest {

    /** A fraction of what a thread usually has. */
    private static final int STACK_BYTES = 256 * 1024;

    private static final Amounts ONE = Amounts.of(Story.GPU, 1);

    private final Story story = new Story();

    private static void onASmallStack(Runnable story) throws Exception {
        FutureTask<?> task = new FutureTask<>(story, "told");
        new Thread(null, task, "small stack", STACK_BYTES).start();
        var _ = task.get(60, TimeUnit.SECONDS);
    }

    private static NodeConstraints zones(String... zones) {
        NodeRequirement in = new NodeRequirement("zone", NodeRequirement.Operator.IN, List.of(zones));
        return new NodeConstraints(null, Map.of(), List.of(new NodeSelectorTerm(List.of(in), List.of())), List.of());
    }

    private static String[] names(int nodes) {
        return IntStream.range(0, nodes).mapToObj("a%04d"::formatted).toArray(String[]::new);
    }

    @Test
    void tenThousandAreEvictedAtOnceAndComeBack() throws Exception {
        onASmallStack(() -> {
            String[] nodes = names(100);
            for (String node : nodes) {
                story.node(node, Amounts.of(Story.GPU, 100).plus(Amounts.of(ResourceName.CPU, 1_000_000)));
            }
            for (int i = 0; i < 10_000; i++) {
                // Two at a time have the same demand; no namespace may have so many by itself.
                Amounts need = ONE.plus(Amounts.of(ResourceName.CPU, 1 + i / 2));
                story.ledger.assume(
                        new PlacementRequest(
                                "s" + i, "team-" + i % 8, need, NodeConstraints.NONE, /* promised= */ true),
                        Story.START);
            }
            story.nodesListed();
            assertThat(story.ledger.statistics().overcommitted()).isEqualTo(10_000);
            assertThat(story.ledger.statistics().evictions()).isEqualTo(10_000);
            story.nodesListed(nodes);
            assertThat(story.ledger.statistics().unplaced()).isZero();
        });
    }

    @Test
    void thousandsGetRoomBecauseOthersAreMoved() throws Exception {
        onASmallStack(() -> {
            String[] nodes = names(400);
            for (String node : nodes) {
                story.node(node, Amounts.of(Story.GPU, 3));
                decidedThrice("first-", node, "later");
            }
            story.node("between", Amounts.of(Story.GPU, 1_200));
            for (String node : nodes) {
                decidedThrice("second-", node, "between");
            }
            assertThat(story.ledger.statistics().unplaced()).isZero();
            story.nodeRemoved("between");
            assertThat(story.ledger.statistics().overcommitted()).isEqualTo(1_200);
            story.node("later", Amounts.of(Story.GPU, 1_200));
            assertThat(story.reserved("later")).isEqualTo(1_200);
            assertThat(story.ledger.statistics().unplaced()).isZero();
        });
    }

    private void decidedThrice(String who, String... zones) {
        for (int i = 0; i < 3; i++) {
            story.decided(who + zones[0] + i, ONE, zones(zones));
        }
    }
}
