package dev.sluice.ledger;

import static dev.sluice.ledger.Story.GPU;
import static dev.sluice.ledger.Story.gpus;
import static dev.sluice.ledger.Story.machine;
import static dev.sluice.ledger.Story.nodeName;
import static dev.sluice.ledger.Story.zone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementResourceVersions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is Allocated and what is free, pod by pod and node by node. */
class LedgerTest {

    private final Story story = new Story();

    @Test
    void aBoundPodIsAllocated() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(3));
        assertThat(story.allocated("n1")).isEqualTo(3);
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.hasRoom(1)).isTrue();
        assertThat(story.hasRoom(2)).isFalse();
    }

    @Test
    void aTerminatingPodCountsUntilItIsRemoved() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(4));
        story.bound("team/a", "n1", gpus(4)); // its deletionTimestamp was set
        assertThat(story.hasRoom(1)).isFalse();
        story.removed("team/a");
        assertThat(story.allocated("n1")).isZero();
        assertThat(story.hasRoom(4)).isTrue();
    }

    @Test
    void aResizedPodCountsAsItIsNow() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(1));
        story.bound("team/a", "n1", gpus(1).plus(Amounts.of(ResourceName.CPU, 63_000)));
        assertThat(story.hasRoom(1)).isFalse();
        story.bound("team/a", "n1", gpus(1));
        assertThat(story.hasRoom(1)).isTrue();
    }

    @Test
    void anUnboundPodIsReservedOnATentativeNode() {
        story.node("n1", 4);
        story.unbound("team/a", gpus(3), NodeConstraints.NONE);
        assertThat(story.reserved("n1")).isEqualTo(3);
        assertThat(story.allocated("n1")).isZero();
        assertThat(story.hasRoom(2)).isFalse();
        assertThat(story.ledger.podUsages()).containsExactly(new LedgerPodUsage("team/a", null, "n1", gpus(3)));
    }

    @Test
    void aPodThatIsBoundWhereItWasExpectedCountsOnce() {
        story.node("n1", 4);
        story.unbound("team/a", gpus(3), NodeConstraints.NONE);
        story.bound("team/a", "n1", gpus(3));
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.allocated("n1")).isEqualTo(3);
        assertThat(story.ledger.podUsages()).containsExactly(new LedgerPodUsage("team/a", "n1", null, gpus(3)));
    }

    @Test
    void aGatedPodCountsNothingUntilItsGatesAreGone() {
        story.node("n1", 4);
        story.gated("team/a", gpus(4), "");
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.ledger.statistics().pods()).isZero();
        story.unbound("team/a", gpus(4), NodeConstraints.NONE);
        assertThat(story.hasRoom(1)).isFalse();
    }

    @Test
    void podsOnUnknownNodesHoldThemWhenTheyAppear() {
        story.bound("team/a", "n1", gpus(3));
        assertThat(story.ledger.usage()).isEmpty();
        assertThat(story.hasRoom(1)).isFalse();
        story.node("n1", 4);
        assertThat(story.allocated("n1")).isEqualTo(3);
        assertThat(story.hasRoom(1)).isTrue();
        assertThat(story.hasRoom(2)).isFalse();
    }

    @Test
    void aRemovedNodeThatComesBackStillHoldsItsPods() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(3));
        story.nodeRemoved("n1");
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(story.ledger.freeOf(GPU)).isZero();
        story.node("n1", 4);
        assertThat(story.allocated("n1")).isEqualTo(3);
        assertThat(story.ledger.freeOf(GPU)).isEqualTo(1);
    }

    @Test
    void aCordonedNodeHasNoRoomExceptForThoseWhoTolerateIt() {
        story.node("n1", 4);
        story.cordon("n1");
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(story.ledger.isFree(gpus(1), tolerating("node.kubernetes.io/unschedulable")))
                .isTrue();
    }

    @Test
    void everyTaintCountsNowPassingOnesToo() {
        story.node("n1", 4);
        story.taint("n1", Story.NOT_READY);
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(story.ledger.isFree(gpus(1), tolerating("node.kubernetes.io/not-ready")))
                .isTrue();
        story.taint("n1", new Taint("spot", "", Taint.Effect.PREFER_NO_SCHEDULE));
        assertThat(story.hasRoom(1)).isTrue();
    }

    private static NodeConstraints tolerating(String key) {
        return new NodeConstraints(
                null, Map.of(), null, List.of(new Toleration(key, Toleration.TolerationOperator.EXISTS, "", "")));
    }

    @Test
    void aPodThatNamesItsNodeNeedsOnlyItsResources() {
        story.node("n1", 4);
        story.cordon("n1");
        story.taint("n1", Story.NOT_READY);
        assertThat(story.ledger.isFree(gpus(4), nodeName("n1"))).isTrue();
        assertThat(story.ledger.isFree(gpus(5), nodeName("n1"))).isFalse();
        assertThat(story.ledger.isFree(gpus(1), nodeName("n2"))).isFalse();
    }

    @Test
    void onlyNodesThatTheSelectorAdmitsCount() {
        story.node("n1", 4);
        story.node("n2", 1);
        assertThat(story.ledger.isFree(gpus(2), zone("n1"))).isTrue();
        assertThat(story.ledger.isFree(gpus(2), zone("n2"))).isFalse();
    }

    @Test
    void everythingMustFitOnOneNode() {
        story.node("n1", 4);
        story.node("n2", 4);
        story.bound("team/a", "n1", gpus(3));
        story.bound("team/b", "n2", gpus(3));
        assertThat(story.ledger.freeOf(GPU)).isEqualTo(2);
        assertThat(story.hasRoom(2)).isFalse();
        story.bound("team/c", "n1", Amounts.of(ResourceName.CPU, 63_000));
        story.bound("team/d", "n2", Amounts.of(ResourceName.CPU, 63_000));
        assertThat(story.hasRoom(1)).isFalse();
    }

    @Test
    void whatIsFreeIsCountedOnAllNodesThatOfferIt() {
        story.node("n1", 4);
        story.node("n2", 4);
        story.bound("team/a", "n1", gpus(3));
        story.cordon("n2");
        story.taint("n1", Story.NOT_READY);
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(story.ledger.freeOf(GPU)).isEqualTo(5);
        assertThat(story.ledger.snapshot().allocatableOf(GPU).total()).isEqualTo(8);
    }

    @Test
    void localStorageCountsAsEverythingElse() {
        ResourceName storage = new ResourceName("ephemeral-storage");
        story.node("n1", machine(4).plus(Amounts.of(storage, 10)));
        story.node("n2", machine(4));
        Amounts need = gpus(1).plus(Amounts.of(storage, 6));
        assertThat(story.ledger.isFree(need, zone("n1"))).isTrue();
        assertThat(story.ledger.isFree(need, zone("n2"))).isFalse();
        story.bound("team/a", "n1", need);
        assertThat(story.ledger.isFree(need, NodeConstraints.NONE)).isFalse();
        story.removed("team/a");
        assertThat(story.ledger.isFree(need, NodeConstraints.NONE)).isTrue();
    }

    @Test
    void aNodeTakesNoMorePodsThanItSays() {
        story.node("n1", machine(4).plus(Amounts.of(ResourceName.PODS, 1 - 110)));
        assertThat(story.hasRoom(1)).isTrue();
        story.bound("team/a", "n1", Amounts.of(ResourceName.PODS, 1));
        assertThat(story.hasRoom(1)).isFalse();
    }

    @Test
    void aNodeThatDoesNotSayHowManyPodsItTakesTakesAnyNumber() {
        story.node("n1", machine(4).only(name -> !name.equals(ResourceName.PODS)));
        story.bound("team/a", "n1", gpus(1));
        story.unbound("team/b", gpus(1), NodeConstraints.NONE);
        story.unbound("team/c", gpus(1), NodeConstraints.NONE);
        assertThat(story.reserved("n1")).isEqualTo(2);
        assertThat(story.hasRoom(1)).isTrue();
        assertThat(story.ledger.statistics().unplaced()).isZero();
    }

    @Test
    void absurdAmountsFitNowhereAndLeaveNoTrace() {
        story.node("n1", 4);
        Amounts absurd = Amounts.of(GPU, Long.MAX_VALUE).plus(Amounts.of(ResourceName.CPU, Long.MAX_VALUE));
        for (int i = 0; i < 3; i++) {
            story.bound("team/bound" + i, "n1", absurd);
            story.unbound("team/unbound" + i, absurd, NodeConstraints.NONE);
        }
        assertThat(story.ledger.isFree(absurd, NodeConstraints.NONE)).isFalse();
        assertThat(story.hasRoom(1)).isFalse();
        assertThat(story.ledger.freeOf(GPU)).isZero();
        for (int i = 0; i < 3; i++) {
            story.removed("team/bound" + i);
            story.removed("team/unbound" + i);
        }
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.allocated("n1")).isZero();
    }

    @Test
    void aRelistRemovesWhatItDoesNotMention() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(1));
        story.bound("team/b", "n1", gpus(1));
        story.unbound("team/c", gpus(1), NodeConstraints.NONE);
        story.list(story.pod("team/a", new Pod.Place.Bound("n1"), gpus(1), ""));
        assertThat(story.allocated("n1")).isEqualTo(1);
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.ledger.statistics().pods()).isEqualTo(1);
        assertThat(story.ledger.statistics().auditDifference()).isEqualTo(LedgerStatistics.AuditDifference.NONE);
    }

    @Test
    void aListThatNeverEndsRemovesNothing() {
        story.node("n1", 4);
        story.bound("team/a", "n1", gpus(1));
        story.tell(new PodEvent.ListBegun());
        story.tell(new PodEvent.PodsPage(List.of(story.pod("team/b", new Pod.Place.Bound("n1"), gpus(1), ""))));
        assertThat(story.allocated("n1")).isEqualTo(2);
        story.list(story.pod("team/a", new Pod.Place.Bound("n1"), gpus(1), ""));
        assertThat(story.allocated("n1")).isEqualTo(1);
        assertThat(story.ledger.statistics().auditDifference()).isEqualTo(LedgerStatistics.AuditDifference.NONE);
    }

    @Test
    void replayedAndOvertakenEventsChangeNothing() {
        story.node("n1", 4);
        Pod unbound = story.pod("team/a", new Pod.Place.Unbound(NodeConstraints.NONE, null), gpus(1), "");
        Pod bound = story.pod("team/a", new Pod.Place.Bound("n1"), gpus(1), "");
        story.tell(new PodEvent.PodSeen(bound));
        story.tell(new PodEvent.PodSeen(unbound));
        assertThat(story.allocated("n1")).isEqualTo(1);
        story.removed("team/a");
        story.tell(new PodEvent.PodSeen(bound));
        assertThat(story.allocated("n1")).isZero();
        story.tell(new PodEvent.PodsBookmark(bound.resourceVersion() + 1));
        story.tell(new PodEvent.PodSeen(bound));
        assertThat(story.allocated("n1")).isZero();
    }

    @Test
    void ofTooManyRemovalsTheNewestAreRemembered() {
        story.node("n1", 4);
        Pod late = story.pod("team/late", new Pod.Place.Bound("n1"), gpus(1), "");
        for (int i = 0; i < PlacementResourceVersions.MOST_REMOVALS; i++) {
            story.removed("team/p" + i);
        }
        story.removed("team/late");
        story.tell(new PodEvent.PodSeen(late));
        assertThat(story.allocated("n1")).isZero();
    }

    @Test
    void aSourceWithoutVersionsIsBelieved() {
        story.node("n1", 4);
        Pod pod = new Pod(new PodId(1, 1), "team/a", new Pod.Place.Bound("n1"), gpus(1), "", 0);
        story.tell(new PodEvent.PodSeen(pod));
        assertThat(story.allocated("n1")).isEqualTo(1);
        story.tell(new PodEvent.PodRemoved(pod.id(), pod.name(), "", 0));
        assertThat(story.allocated("n1")).isZero();
        story.tell(new PodEvent.PodSeen(pod));
        assertThat(story.allocated("n1")).isEqualTo(1);
    }

    /** In a cluster without GPUs the plugin is a sign of some, so that its first and its last pod are news. */
    @Test
    void theFirstAndTheLastPodOfADevicePluginAreNews() {
        withoutGpus();
        Pod user = plugin(1, "team/a", /* isDevicePlugin= */ false);
        Pod first = plugin(2, "kube-system/plugin-1", /* isDevicePlugin= */ true);
        Pod second = plugin(3, "kube-system/plugin-2", /* isDevicePlugin= */ true);

        assertThat(story.ledger.apply(new PodEvent.PodSeen(user))).isFalse();
        assertThat(sign()).isEmpty();
        assertThat(story.ledger.apply(new PodEvent.PodSeen(first))).isTrue();
        assertThat(story.ledger.apply(new PodEvent.PodSeen(second))).isFalse();
        assertThat(sign()).contains("pod kube-system/plugin-1");
        assertThat(story.ledger.apply(removed(first))).isTrue();
        assertThat(sign()).contains("pod kube-system/plugin-2");
        assertThat(story.ledger.apply(removed(second))).isTrue();
        assertThat(sign()).isEmpty();
    }

    @Test
    void aListWithoutTheDevicePluginTakesItsSignAway() {
        withoutGpus();
        tell(new PodEvent.PodSeen(plugin(2, "kube-system/plugin-1", /* isDevicePlugin= */ true)));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, Instant.EPOCH));

        assertThat(sign()).isEmpty();
    }

    /** The names of many pods would take memory for nothing, as one is enough. */
    @Test
    void ofManyPluginPodsSomeAreRemembered() {
        withoutGpus();
        for (int i = 0; i < 1000; i++) {
            tell(new PodEvent.PodSeen(plugin(i, "kube-system/plugin-" + i, /* isDevicePlugin= */ true)));
        }

        assertThat(sign()).contains("pod kube-system/plugin-0");
        for (int i = 0; i < 1000; i++) {
            tell(removed(plugin(i, "kube-system/plugin-" + i, /* isDevicePlugin= */ true)));
        }
        assertThat(sign()).isEmpty();
    }

    private void withoutGpus() {
        Amounts cpu = Amounts.of(ResourceName.CPU, 8000);
        Node node = new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, cpu, cpu, 5);
        var _ = story.ledger.apply(new NodeEvent.NodesListed(List.of(node), 10));
    }

    private void tell(PodEvent event) {
        var _ = story.ledger.apply(event);
    }

    private Optional<String> sign() {
        return story.ledger
                .snapshot()
                .traceOfGpus(GpuVendor::isGpu, Set.of())
                .map(trace -> trace.kind() + " " + trace.name());
    }

    private static Pod plugin(int id, String name, boolean isDevicePlugin) {
        return new Pod(
                new PodId(1, id),
                name,
                new Pod.Place.Bound("n1"),
                Amounts.of(ResourceName.PODS, 1),
                "",
                0,
                "",
                PodPriority.NORMAL,
                isDevicePlugin);
    }

    private static PodEvent.PodRemoved removed(Pod pod) {
        return new PodEvent.PodRemoved(pod.id(), pod.name(), "", 0);
    }

    @Test
    void onlyANodesEventIsNewsForASnapshot() {
        assertThat(story.ledger.knowsNodes()).isFalse();
        Node node = new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, machine(1), machine(1), 5);
        assertThat(story.ledger.apply(new NodeEvent.NodesListed(List.of(node), 10)))
                .isTrue();
        assertThat(story.ledger.knowsNodes()).isTrue();
        assertThat(story.ledger.snapshot().nodesByName()).containsExactly(node);
        assertThat(story.ledger.apply(new NodeEvent.NodesListed(List.of(node), 11)))
                .isFalse();
    }
}
