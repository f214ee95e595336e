package dev.sluice.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookNamespaceFactsTest {

    @Test
    void namesTheNamespacesThatAreAskedAbout() {
        WebhookNamespaceFacts optIn = new WebhookNamespaceFacts(List.of(
                new NodeRequirement("gpu-webhook", Operator.IN, List.of("enabled")),
                new NodeRequirement("gpu-webhook", Operator.NOT_IN, List.of("disabled")),
                new NodeRequirement("kubernetes.io/metadata.name", Operator.NOT_IN, List.of("kube-system", "team-x"))));

        assertThat(optIn.text())
                .isEqualTo("with gpu-webhook=enabled, without gpu-webhook=disabled, not named kube-system or team-x");
        assertThat(WebhookNamespaceFacts.ALL.text()).isEqualTo("all");
    }
}
