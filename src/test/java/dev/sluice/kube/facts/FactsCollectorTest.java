package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.kube.facts.FactBudget.FactShare;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Objects that are left out for lack of memory leave no trace, and take no other object with them. */
class FactsCollectorTest {

    private final FactsCollector collector = new FactsCollector(new FactBudget(1L << 20), /* copies= */ 1);

    private void read(String object) throws IOException {
        try (JsonParser parser = new YAMLFactory().createParser(object)) {
            parser.nextToken();
            assertThat(collector.read(parser, "", "")).isInstanceOf(ItemReader.ReadItem.KnownItem.class);
        }
    }

    /** Only files have slices with a namespace. */
    @Test
    void slicesOfOtherNamespacesStay() throws IOException {
        String slice = "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s, namespace: %s},"
                + " spec: {driver: gpu.nvidia.com, nodeName: %s,"
                + " pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}}";
        read(slice.formatted("a", "n1"));
        read(slice.formatted("b", "n2"));

        assertThat(collector.drop(new FactShare(ClusterFactKind.RESOURCE_SLICES, "a")))
                .isNotNegative();

        assertThat(collector.facts().dra().sliceNodes()).containsExactly("n2");
    }

    @Test
    void theDefaultPriorityGoesWithThePriorityClasses() throws IOException {
        read("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 7,"
                + " globalDefault: true}");
        read("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n},"
                + " spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}}");
        assertThat(priority()).isEqualTo(7);

        assertThat(collector.drop(new FactShare(ClusterFactKind.PRIORITY_CLASSES, "")))
                .isNotNegative();

        assertThat(priority()).isZero();
    }

    private long priority() {
        return collector.facts().pods().stream()
                .map(PodFacts::ask)
                .findFirst()
                .orElseThrow()
                .priority();
    }
}
