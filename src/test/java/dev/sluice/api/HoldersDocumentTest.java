package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.HoldersDocument.HeldResource;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HoldersDocumentTest {

    private static final Amounts GPU = Amounts.of(ResourceName.NVIDIA_GPU, 2);

    private static Node node(String name, Amounts capacity, Amounts allocatable) {
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, capacity, allocatable, 0);
    }

    private static Pod waiting(String name, Amounts requests) {
        return new Pod(PodId.of(name), name, new Pod.Place.Gated(), requests, "", 0);
    }

    private static Amounts names(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Amounts.of(new ResourceName(String.format("example.com/name-%03d", i)), 1))
                .reduce(Amounts.NONE, Amounts::plus);
    }

    private static List<ResourceName> shown(List<Node> nodes, List<Pod> pods) {
        return HoldersDocument.of(nodes, pods, /* podsKnown= */ true, Instant.EPOCH, Optional.empty())
                .resources()
                .stream()
                .map(HeldResource::resource)
                .toList();
    }

    @Test
    void onlyResourcesOfNodesAreShownWhateverPodsAskFor() {
        ResourceName withdrawn = new ResourceName("nvidia.com/mig-1g.10gb");
        List<Node> nodes = List.of(node("n1", GPU, GPU), node("n2", Amounts.of(withdrawn, 1), Amounts.NONE));
        List<Pod> pods = List.of(
                waiting("team-a/names", names(64)),
                waiting("team-b/train", GPU.plus(Amounts.of(withdrawn, 1)).plus(Amounts.of(ResourceName.CPU, 5))));

        assertThat(shown(nodes, pods)).containsExactly(ResourceName.NVIDIA_GPU, withdrawn);
    }

    @Test
    void noMoreThanSixtyFourResourcesAreShown() {
        Amounts many = names(100);

        assertThat(shown(List.of(node("n1", many, many)), List.of(waiting("team-a/all", many))))
                .hasSize(HoldersDocument.MOST_RESOURCES);
    }

    @Test
    void aNodeThatInventsDevicesDisplacesNoneOfOtherNodes() {
        Amounts alone = Amounts.of(new ResourceName("zz.example.com/of-one-node"), 1);
        Amounts lies = names(100);
        List<Node> nodes =
                List.of(node("n1", GPU, GPU), node("n2", GPU.plus(alone), GPU.plus(alone)), node("n3", lies, lies));

        assertThat(shown(nodes, List.of(waiting("team-a/train", GPU), waiting("team-b/all", alone.plus(lies)))))
                .contains(ResourceName.NVIDIA_GPU, new ResourceName("zz.example.com/of-one-node"))
                .hasSize(HoldersDocument.MOST_RESOURCES);
    }
}
