package dev.sluice.cluster.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceNameTest {

    /** Names without a domain are another matter: of those Kubernetes knows a closed list. */
    @Test
    void aQualifiedNameIsOneThatKubernetesAcceptsInAContainer() {
        List<String> disagreements = new ArrayList<>();
        for (List<String> fact : KubernetesFacts.rows("resource-names.tsv")) {
            String name = fact.getFirst();
            if (!name.contains("/") || name.startsWith("requests.") || name.contains("/kubernetes.io/")) {
                continue;
            }
            boolean legal = Boolean.parseBoolean(fact.get(1));
            boolean device = Boolean.parseBoolean(fact.get(2));
            if (ResourceName.qualified(name).isPresent() != legal) {
                disagreements.add(name + " is legal: " + legal);
            }
            if (legal && new ResourceName(name).isExtended() != device) {
                disagreements.add(name + " is counted in devices: " + device);
            }
        }
        assertThat(disagreements).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"requests.nvidia.com/gpu", "kubernetes.io/batch", "x.kubernetes.io/y", "cpu", "/gpu", "hugepages-2Mi"})
    void isNoExtendedResource(String name) {
        assertThat(new ResourceName(name).isExtended()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, gpu",
        "nvidia.com/mig-3g.40gb, 3g.40gb",
        "nvidia.com/gpu.shared, nvidia.com/gpu.shared",
        "amd.com/gpu, amd.com/gpu"
    })
    void hasAShortName(String name, String shortName) {
        assertThat(new ResourceName(name).shortName()).isEqualTo(shortName);
    }
}
