package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rights of a gateway that writes Events. */
class ManifestEventsTest {

    @Test
    void letsTheGatewayWriteEventsAndReadWhatTheyAreAbout() throws IOException {
        Manifests rights = Manifests.parsed(Files.readString(Path.of("k8s/components/events/rbac.yaml")));

        assertThat(rights.only(ClusterRole.class).getRules())
                .extracting(rule -> rule.getApiGroups() + " " + rule.getResources() + " " + rule.getVerbs())
                .containsExactly(
                        "[events.k8s.io] [events] [create, patch]",
                        "[] [pods] [get]",
                        "[apps] [replicasets] [get]",
                        "[batch] [jobs] [get]");
        assertThat(rights.only(ClusterRoleBinding.class).getSubjects())
                .extracting(subject -> subject.getKind() + " " + subject.getNamespace() + "/" + subject.getName())
                .containsExactly("ServiceAccount gpu-webhook/gpu-webhook");
    }
}
