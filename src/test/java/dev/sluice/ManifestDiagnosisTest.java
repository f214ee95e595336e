package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.facts.ClusterFactKind;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rights of a gateway that diagnoses. */
class ManifestDiagnosisTest {

    private final Manifests rights;

    ManifestDiagnosisTest() throws IOException {
        rights = Manifests.parsed(Files.readString(Path.of("k8s/components/diagnosis/rbac.yaml")));
    }

    /** Other roles name nodes and pods. */
    @Test
    void letsTheGatewayListWhatADiagnosisReadsAndNothingElse() {
        Set<String> granted = new TreeSet<>();
        rights.only(ClusterRole.class).getRules().forEach(rule -> {
            assertThat(rule.getVerbs()).containsExactly("list");
            for (String group : rule.getApiGroups()) {
                String version = group.isEmpty() ? "v1" : group + "/v1";
                rule.getResources().forEach(resource -> granted.add(version + "/" + resource));
            }
        });

        assertThat(granted)
                .isEqualTo(EnumSet.complementOf(EnumSet.of(ClusterFactKind.NODES, ClusterFactKind.PODS)).stream()
                        .filter(kind -> !kind.isOptional())
                        .map(kind -> kind.apiVersion() + "/" + kind.plural())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
