package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import dev.sluice.doctor.facts.NamespaceSelection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegisteredNamespacesTest {

    private static final NamespaceSelection OPT_IN = new NamespaceSelection(List.of(
            new NodeRequirement("gpu-webhook", Operator.IN, List.of("enabled")),
            new NodeRequirement("gpu-webhook", Operator.NOT_IN, List.of("disabled")),
            new NodeRequirement("kubernetes.io/metadata.name", Operator.NOT_IN, List.of("kube-system", "team-x"))));

    private static String why(String namespace, Map<String, Map<String, String>> labels) {
        return new RegisteredNamespaces(List.of(OPT_IN), labels)
                .notAsked(namespace)
                .orElse("asked");
    }

    @Test
    void saysWhichLabelOrNameExcludesANamespace() {
        assertThat(why("team-a", Map.of("team-a", Map.of())))
                .isEqualTo("The API server does not ask Sluice about pods of namespace team-a: it has no label"
                        + " gpu-webhook, and the webhook is registered for namespaces with gpu-webhook=enabled. They are"
                        + " created as they are written.");
        assertThat(why("team-a", Map.of("team-a", Map.of("gpu-webhook", "disabled"))))
                .contains("its label gpu-webhook is disabled");
        assertThat(why("team-x", Map.of("team-x", Map.of("gpu-webhook", "enabled"))))
                .contains("its name is excluded");
        assertThat(why("team-a", Map.of("team-a", Map.of("gpu-webhook", "enabled"))))
                .isEqualTo("asked");
    }

    @Test
    void withoutTheLabelsOnlyTheNameIsCompared() {
        assertThat(why("team-a", Map.of())).isEqualTo("asked");
        assertThat(why("team-x", Map.of())).contains("its name is excluded");
    }

    @Test
    void whereTheRegistrationIsNotKnownNothingIsSaid() {
        assertThat(RegisteredNamespaces.UNKNOWN.notAsked("kube-system")).isEmpty();
    }

    @Test
    void namesTheNamespacesThatAreAskedAbout() {
        assertThat(OPT_IN.text())
                .isEqualTo("with gpu-webhook=enabled, without gpu-webhook=disabled, not named kube-system or team-x");
        assertThat(NamespaceSelection.ALL.text()).isEqualTo("all");
    }
}
