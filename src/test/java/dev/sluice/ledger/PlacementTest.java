package dev.sluice.ledger;

import static dev.sluice.ledger.Story.gpus;
import static dev.sluice.ledger.Story.nodeName;
import static dev.sluice.ledger.Story.zone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where reservations are placed, and how they are moved when others come and go. */
class PlacementTest {

    private static final NodeConstraints ANYWHERE = NodeConstraints.NONE;

    private final Story story = new Story();

    private LedgerStatistics statistics() {
        return story.ledger.statistics();
    }

    @Test
    void aPendingPodGetsTheFreedRoomBeforeANewOne() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(4));
        story.unbound("team/b", gpus(4), ANYWHERE);
        assertThat(statistics().unplaced()).isEqualTo(1);
        story.removed("team/a");
        assertThat(story.reserved("n1")).isEqualTo(4);
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(statistics().unplaced()).isZero();
    }

    @Test
    void theFirstOfThePodsThatWaitForOneNodeGetsIt() {
        story.node("n1", 2);
        story.bound("team/a", "n1", gpus(2));
        story.unbound("team/first", gpus(1), zone("n1"));
        story.unbound("team/second", gpus(2), nodeName("n1"));
        story.unbound("team/third", gpus(1), ANYWHERE);
        story.removed("team/a");
        assertThat(story.reserved("n1")).isEqualTo(2);
        story.removed("team/first");
        assertThat(story.reserved("n1")).isEqualTo(1);
        story.removed("team/third");
        assertThat(story.reserved("n1")).isEqualTo(2);
        assertThat(statistics().unplaced()).isZero();
    }

    @Test
    void pendingPodsAreTriedOnBucketsThatComeLater() {
        story.unbound("team/a", gpus(1), zone("n2"));
        story.unbound("team/b", gpus(1), zone("n1"));
        story.node("n1", 1);
        assertThat(story.reserved("n1")).isEqualTo(1);
        story.unbound("team/c", gpus(1), zone("n1"));
        story.node("n2", 1);
        assertThat(story.reserved("n2")).isEqualTo(1);
        story.removed("team/b");
        assertThat(story.reserved("n1")).isEqualTo(1);
        assertThat(statistics().unplaced()).isZero();
    }

    @Test
    void podsThatAListRemovesMakeRoomForPendingOnes() {
        story.node("n1", 2);
        story.bound("team/a", "n1", gpus(1));
        story.bound("team/b", "n1", gpus(1));
        story.unbound("team/waiting", gpus(2), ANYWHERE);
        story.list(story.pod("team/waiting", new Pod.Place.Unbound(ANYWHERE, null), gpus(2), ""));
        assertThat(story.allocated("n1")).isZero();
        assertThat(story.reserved("n1")).isEqualTo(2);
        assertThat(statistics().unplaced()).isZero();
    }

    @Test
    void podsThatWerePromisedRoomComeBeforeOthers() {
        story.node("n1", 1);
        story.node("n2", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        story.decided("s2", gpus(1), ANYWHERE);
        story.unbound("team/waiting", gpus(1), ANYWHERE);
        story.nodeRemoved("n1");
        story.nodeRemoved("n2");
        assertThat(statistics().overcommitted()).isEqualTo(2);
        story.node("n3", 2);
        assertThat(statistics().overcommitted()).isZero();
        assertThat(statistics().unplaced()).isEqualTo(1);
    }

    @Test
    void whenTheSchedulerBindsElsewhereTheOthersArePlacedAnew() {
        story.node("n1", 1);
        story.node("n2", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        story.decided("s2", gpus(1), ANYWHERE);
        String other = tentative("s1").equals("n1") ? "n2" : "n1";
        boundWithStamp("team/a", other, gpus(1), "s1");
        assertThat(statistics().unplaced()).isZero();
        assertThat(story.reserved(other)).isZero();
        assertThat(story.reserved(other.equals("n1") ? "n2" : "n1")).isEqualTo(1);
        assertThat(statistics().evictions()).isZero();
    }

    /** The removal of one shows which one has the room. */
    private String tentative(String stamp) {
        return stamp.equals("s1") && story.reserved("n1") == 1 ? "n1" : "n2";
    }

    private void boundWithStamp(String name, String node, Amounts requests, String stamp) {
        story.tell(new PodEvent.PodSeen(story.pod(name, new Pod.Place.Bound(node), requests, stamp)));
    }

    @Test
    void anEvictedPodWithoutRoomIsCounted() {
        story.node("n1", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        assertThat(statistics().overcommitted()).isZero();
        story.bound("team/byHand", "n1", gpus(1));
        assertThat(statistics().overcommitted()).isEqualTo(1);
        assertThat(statistics().evictions()).isEqualTo(1);
        story.removed("team/byHand");
        assertThat(statistics().overcommitted()).isZero();
        assertThat(statistics().evictions()).isEqualTo(1);
        assertThat(story.reserved("n1")).isEqualTo(1);
    }

    @Test
    void podsAreMovedForOneThatFitsNowhereElse() {
        story.node("n1", 1);
        story.node("n2", 1);
        story.node("n3", 1);
        story.decided("s1", gpus(1), zones("n1", "n2"));
        story.decided("s2", gpus(1), zone("n3"));
        story.decided("s3", gpus(1), zones("n2", "n1"));
        story.nodeRemoved("n3");
        story.removed("team/nobody");
        assertThat(statistics().overcommitted()).isEqualTo(1);
    }

    private static NodeConstraints zones(String... zones) {
        NodeRequirement in = new NodeRequirement("zone", NodeRequirement.Operator.IN, List.of(zones));
        return new NodeConstraints(null, Map.of(), List.of(new NodeSelectorTerm(List.of(in), List.of())), List.of());
    }

    @Test
    void aPodThatFitsElsewhereIsMovedForOneThatDoesNot() {
        story.node("n1", 1);
        story.unbound("team/flexible", gpus(1), zones("n1", "n2"));
        story.node("n2", 1);
        story.node("n3", 1);
        story.decided("s1", gpus(1), zones("n1", "n3"));
        assertThat(story.reserved("n3")).isEqualTo(1);
        story.nodeRemoved("n3");
        assertThat(statistics().overcommitted()).isZero();
        assertThat(statistics().evictions()).isZero();
        assertThat(story.reserved("n1")).isEqualTo(1);
        assertThat(story.reserved("n2")).isEqualTo(1);
    }

    @Test
    void podsAreMovedFromACordonedNode() {
        story.node("n1", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        story.node("n2", 1);
        story.cordon("n1");
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.reserved("n2")).isEqualTo(1);
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(statistics().evictions()).isZero();
    }

    @Test
    void podsAreMovedFromATaintedNodeOrCountedAsEvicted() {
        story.node("n1", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        story.taint("n1", Story.NOT_READY);
        assertThat(statistics().overcommitted()).isEqualTo(1);
        story.node("n2", 1);
        assertThat(statistics().overcommitted()).isZero();
        assertThat(story.reserved("n2")).isEqualTo(1);
        assertThat(story.hasRoom(1)).isFalse();
    }

    @Test
    void podsAreMovedFromARemovedNode() {
        story.node("n1", 1);
        story.decided("s1", gpus(1), ANYWHERE);
        story.node("n2", 1);
        story.nodeRemoved("n1");
        assertThat(story.reserved("n2")).isEqualTo(1);
        story.node("n1", 1);
        assertThat(story.reserved("n1")).isZero();
    }

    @Test
    void theNewestGoFirstWhenANodeShrinks() {
        story.node("n1", 4);
        story.unbound("team/old", gpus(3), ANYWHERE);
        story.unbound("team/new", gpus(1), ANYWHERE);
        story.node("n1", 3);
        assertThat(story.reserved("n1")).isEqualTo(3);
        assertThat(statistics().unplaced()).isEqualTo(1);
        assertThat(statistics().evictions()).isZero();
    }

    @Test
    void anOvercommittedResourceEvictsOnlyPodsThatNeedIt() {
        story.node("n1", 2);
        story.unbound("team/gpu", gpus(1), ANYWHERE);
        story.unbound("team/cpu", Amounts.of(ResourceName.CPU, 1000), ANYWHERE);
        story.bound("team/byHand", "n1", gpus(2));
        assertThat(statistics().unplaced()).isEqualTo(1);
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.ledger.podUsages())
                .contains(new LedgerPodUsage("team/cpu", null, "n1", Amounts.of(ResourceName.CPU, 1000)))
                .contains(new LedgerPodUsage("team/gpu", null, null, gpus(1)));
    }

    @Test
    void aNominatedPodIsPlacedOnItsNodeWithOrWithoutRoom() {
        story.node("n1", 4);
        story.node("n2", 4);
        story.bound("team/victim", "n1", gpus(4));
        story.nominated("team/a", gpus(4), "n1");
        assertThat(story.reserved("n1")).isEqualTo(4);
        assertThat(story.reserved("n2")).isZero();
        story.removed("team/victim");
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.ledger.isFree(gpus(1), zone("n1"))).isFalse();
        story.bound("team/a", "n1", gpus(4));
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.allocated("n1")).isEqualTo(4);
    }

    @Test
    void aPodIsMovedForANominatedPod() {
        story.node("n1", 4);
        story.unbound("team/before", gpus(4), ANYWHERE);
        story.node("n2", 4);
        story.nominated("team/a", gpus(4), "n1");
        assertThat(story.ledger.podUsages())
                .contains(new LedgerPodUsage("team/before", null, "n2", gpus(4)))
                .contains(new LedgerPodUsage("team/a", null, "n1", gpus(4)));
    }

    @Test
    void aPodNominatedToAnUnknownNodeIsPlacedWhereItFits() {
        story.node("n1", 4);
        story.nominated("team/a", gpus(4), "gone");
        assertThat(story.reserved("n1")).isEqualTo(4);
        story.nominated("team/a", gpus(4), null);
        assertThat(story.reserved("n1")).isEqualTo(4);
    }

    @Test
    void aRelistInWhichOnePodReplacedAnotherEvictsNothing() {
        story.node("n1", 2);
        story.bound("team/before", "n1", gpus(1));
        story.decided("s1", gpus(1), ANYWHERE);
        story.list(story.pod("team/after", new Pod.Place.Bound("n1"), gpus(1), ""));
        assertThat(story.reserved("n1")).isEqualTo(1);
        assertThat(statistics().evictions()).isZero();
    }

    @Test
    void nodesWithFewerDevicesAreFilledFirst() {
        story.node("rare", Story.machine(8).plus(Amounts.of(new ResourceName("nvidia.com/mig-3g.40gb"), 4)));
        story.node("common", 8);
        story.decided("s1", gpus(1), ANYWHERE);
        assertThat(story.reserved("common")).isEqualTo(1);
    }
}
