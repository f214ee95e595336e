package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code k8s/sweep-configmaps.sh} deletes the ConfigMaps of revisions that are gone, and no others. */
@AgainstControlPlane
class SweepConfigMapsIT {

    private static final String SCRIPT = Path.of("k8s", "sweep-configmaps.sh").toString();
    private static final String NAME = "gpu-webhook-sweep";
    private static final Map<String, String> LABELS = Map.of("app", "gpu-webhook", "of", NAME);

    /** The one of the Deployment, one of a ReplicaSet to which a rollback would go, and two that nothing mounts. */
    private static final List<String> ALL = Stream.of("current000", "rollback00", "gone000001", "gone000002")
            .map("gpu-webhook-config-"::concat)
            .toList();

    private static final String NEWEST = "gpu-webhook-config-newest0000";

    @AfterEach
    void nothingIsLeft(Cluster cluster) {
        var _ = cluster.client()
                .apps()
                .deployments()
                .inNamespace(Account.NAMESPACE)
                .withName(NAME)
                .delete();
        var _ = cluster.client()
                .apps()
                .replicaSets()
                .inNamespace(Account.NAMESPACE)
                .withName(NAME)
                .delete();
        Stream.concat(ALL.stream(), Stream.of(NEWEST, "gpu-webhook-dashboard"))
                .forEach(name -> cluster.client()
                        .configMaps()
                        .inNamespace(Account.NAMESPACE)
                        .withName(name)
                        .delete());
    }

    @Test
    void deletesWhatNoRevisionMounts(Cluster cluster) {
        ALL.forEach(name -> create(cluster, name));
        create(cluster, "gpu-webhook-dashboard");

        mount(cluster);
        createLater(cluster);
        assertThat(command(cluster, "--dry-run").output()).contains("gone000001", "gone000002", "dry run");
        assertThat(names(cluster)).containsAll(ALL);

        assertThat(command(cluster).output()).contains("gone000001", "gone000002");
        assertThat(names(cluster))
                .contains(ALL.get(0), ALL.get(1), NEWEST, "gpu-webhook-dashboard")
                .doesNotContain(ALL.get(2), ALL.get(3));
        assertThat(command(cluster).output()).contains("are in use");
    }

    /** The Deployment owns the ReplicaSet from the beginning. Otherwise, another one could adopt and delete it. */
    private static void mount(Cluster cluster) {
        Deployment deployment = cluster.client()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(Account.NAMESPACE)
                        .withLabels(LABELS)
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(0)
                        .withNewSelector()
                        .withMatchLabels(Map.of("of", NAME))
                        .endSelector()
                        .withTemplate(mounting(ALL.get(0), "current"))
                        .endSpec()
                        .build())
                .create();
        var _ = cluster.client()
                .resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(Account.NAMESPACE)
                        .withLabels(LABELS)
                        .addNewOwnerReference()
                        .withApiVersion("apps/v1")
                        .withKind("Deployment")
                        .withName(NAME)
                        .withUid(deployment.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(0)
                        .withNewSelector()
                        .withMatchLabels(Map.of("revision", "rollback"))
                        .endSelector()
                        .withTemplate(mounting(ALL.get(1), "rollback"))
                        .endSpec()
                        .build())
                .create();
    }

    private static PodTemplateSpec mounting(String configMap, String revision) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(Map.of("of", NAME, "revision", revision))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("gateway")
                .withImage("sluice")
                .endContainer()
                .addNewVolume()
                .withName("config")
                .withNewConfigMap()
                .withName(configMap)
                .endConfigMap()
                .endVolume()
                .endSpec()
                .build();
    }

    private static void create(Cluster cluster, String name) {
        var _ = cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(Account.NAMESPACE)
                        .withLabels(LABELS)
                        .endMetadata()
                        .addToData("gateway.yaml", "policy: {}\n")
                        .build())
                .create();
    }

    /** Creates the newest ConfigMap in another second than the others. */
    private static void createLater(Cluster cluster) {
        Instant others = Instant.now();
        Eventually.holds("a second has passed", () -> Instant.now().isAfter(others.plusSeconds(1)));
        create(cluster, NEWEST);
    }

    private static List<String> names(Cluster cluster) {
        return cluster.client().configMaps().inNamespace(Account.NAMESPACE).list().getItems().stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    private static Command command(Cluster cluster, String... options) {
        return Command.in(
                        Path.of("."),
                        Stream.concat(Stream.of(SCRIPT), Stream.of(options)).toList())
                .with("KUBECONFIG", cluster.plane().kubeconfig().toString());
    }
}
