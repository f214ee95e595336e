package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetNodeDocumentTest {

    private static final Node NODE =
            new Node("n1", Map.of("rack", "7"), List.of(), /* unschedulable= */ true, Amounts.NONE, Amounts.NONE, 0);

    private static Pod pod(String name, Pod.Place place, Amounts requests) {
        return new Pod(PodId.of(name), name, place, requests, "", 0);
    }

    @Test
    void theNodeIsShownWithThePodsThatHaveDevicesThere() {
        Amounts cpu = Amounts.of(ResourceName.CPU, 500);
        Amounts gpu = Amounts.of(ResourceName.NVIDIA_GPU, 2).plus(cpu);
        List<Pod> pods = List.of(
                pod("team-a/train", new Pod.Place.Bound("n1"), gpu),
                pod("team-a/web", new Pod.Place.Bound("n1"), cpu),
                pod("team-a/elsewhere", new Pod.Place.Bound("n2"), gpu));

        assertThat(ApiJson.text(FleetNodeDocument.of(NODE, pods, /* podsKnown= */ true)))
                .isEqualTo("""
                {"node":"n1","labels":{"rack":"7"},"cordoned":true,"taints":[],\
                "pods":[{"namespace":"team-a","name":"train","devices":{"nvidia.com/gpu":2}}]}""");
        assertThat(ApiJson.text(FleetNodeDocument.of(NODE, pods, /* podsKnown= */ false)))
                .doesNotContain("pods");
    }
}
