package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.LedgerStatistics.AuditDifference;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a large list takes several turns, between which decisions are made. */
class LedgerListEndingTest {

    private static final Amounts ONE = Amounts.of(Story.GPU, 1);
    private static final int PODS = 100_000;

    private final Story story = new Story();

    @BeforeEach
    void listAllPods() {
        for (int node = 0; node < 4; node++) {
            story.node("n" + node, Amounts.of(Story.GPU, PODS));
        }
        mention(0, PODS);
        story.tell(new PodEvent.ListEnded(1_000, Story.START));
    }

    private void mention(int first, int end) {
        story.tell(new PodEvent.ListBegun());
        List<Pod> pods = IntStream.range(first, end)
                .mapToObj(i -> new Pod(new PodId(i, 7), "team/p" + i, new Pod.Place.Bound("n" + i % 4), ONE, "", 500))
                .toList();
        story.tell(new PodEvent.PodsPage(pods));
    }

    private int turns() {
        story.ledger.beginToEnd(new PodEvent.ListEnded(2_000, Story.START));
        int turns = 1;
        while (!story.ledger.proceed()) {
            turns++;
            story.decided("stamp-" + turns, ONE, NodeConstraints.NONE);
        }
        return turns;
    }

    @Test
    void whatTheListDidNotMentionIsRemovedInSeveralTurns() {
        mention(PODS / 2, PODS);

        int turns = turns();

        assertThat(turns).isGreaterThan(PODS / 2 / 2_048);
        LedgerStatistics statistics = story.ledger.statistics();
        assertThat(statistics.pods()).isEqualTo(PODS / 2);
        assertThat(statistics.assumed()).isEqualTo(turns - 1);
        assertThat(statistics.auditDifference()).isEqualTo(AuditDifference.NONE);
        for (int node = 0; node < 4; node++) {
            assertThat(story.allocated("n" + node)).isEqualTo(PODS / 8);
        }
    }

    @Test
    void anAuditInTurnsFindsWhatIsDifferent() {
        mention(0, PODS - 1);
        // The list does not say that this pod exists, so that it takes what the audit does not know of.
        story.tell(
                new PodEvent.PodSeen(new Pod(new PodId(1, 1), "team/late", new Pod.Place.Bound("n0"), ONE, "", 3_000)));

        assertThat(turns()).isPositive();

        assertThat(story.ledger.statistics().auditDifference()).isEqualTo(new AuditDifference(1, 1, 0));
    }
}
