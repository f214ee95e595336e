package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the conditions of the registration cost, by the API server's own code: {@code src/it/conditions}. */
@AgainstControlPlane
class ConditionCostIT {

    /** Of one condition; all of a webhook together have two and a half times as much. */
    private static final long LIMIT = 1_000_000;

    private record Cost(String outcome, long all, long dearest, String problem) {}

    @Test
    void theDearestPodThatIsLookedAtCostsLessThanAThirdOfTheLimit(Cluster cluster) {
        List<Cost> costs = measure(cluster, WorstPods.withoutGpuAndWithinTheGuards());
        System.out.println("conditions cost, of 1,000,000: " + costs);
        assertThat(costs).allSatisfy(cost -> {
            assertThat(cost.problem()).isEqualTo("<nil>");
            assertThat(cost.outcome()).isEqualTo("skipped");
            assertThat(cost.dearest()).isLessThan(LIMIT / 3);
        });
    }

    @Test
    void everyPodWithAGpuIsSentWhateverItIsMadeOf(Cluster cluster) {
        for (String gpu : List.of("nvidia.com/mig-3g.40gb", "nvidia.com/gpu", "gpu.intel.com/i915")) {
            assertThat(measure(cluster, concat(WorstPods.stored(gpu), WorstPods.sent(gpu))))
                    .allSatisfy(cost -> {
                        assertThat(cost.problem()).isEqualTo("<nil>");
                        assertThat(cost.outcome()).isEqualTo("called");
                        assertThat(cost.dearest()).isLessThan(LIMIT / 3);
                    });
        }
    }

    /** Another webhook may still add the containers; the condition must not fail meanwhile. */
    @Test
    void aPodWithoutContainersFailsNoCondition(Cluster cluster) {
        Pod none = new PodBuilder(Pods.plain("none"))
                .editSpec()
                .withContainers(List.of())
                .endSpec()
                .build();
        assertThat(measure(cluster, List.of(none)))
                .singleElement()
                .satisfies(cost -> assertThat(cost.problem()).isEqualTo("<nil>"));
    }

    private static List<Pod> concat(List<Pod> some, List<Pod> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static List<Cost> measure(Cluster cluster, List<Pod> pods) {
        String input = "{\"conditions\":" + Serialization.asJson(ConditionsIT.shipped(cluster)) + ",\"pods\":"
                + Serialization.asJson(pods) + "}";
        String printed = Command.in(Path.of("src", "it"), "go", "run", "-mod=readonly", "./conditions")
                .with("CGO_ENABLED", "0")
                .reading(input)
                .output();
        List<Cost> costs = new ArrayList<>();
        for (String line : printed.lines().toList()) {
            String[] parts = line.split("\t", 4);
            costs.add(new Cost(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]));
        }
        assertThat(costs).hasSameSizeAs(pods);
        return costs;
    }
}
