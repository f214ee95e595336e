package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What {@code kubectl describe} says of a pod that was changed, and of what made it. */
@AgainstControlPlane
class EventsIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.30gb";
    private static final String RIGHTS = "k8s/components/events/rbac.yaml";
    private static final String SEVEN = "nvidia.com/mig-7g.80gb";
    private static final String OWN_POD = "gateway-of-events";
    private static final String LESS = "without-events";
    private static final String ALLOCATABLE = "policy: {namespaces: {\"*-deny\": {whenNotOffered: deny}}}\n";
    private static final String CHANGED =
            "container main: no node offers " + THREE + "; using " + TWO + " (8 on 1 node)";

    @Test
    void describeTellsOfThePodAndOfWhatWasApplied(Cluster cluster) throws Exception {
        String denying = cluster.sibling("-deny");
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            Gateway gateway = asked(mode, "events", ALLOCATABLE);
            cluster.addNode("worker", Map.of(TWO, "8"));
            gateway.awaitNodes(1);
            grant(cluster);

            var _ = cluster.create(Pods.asking("bare", THREE)).pod();
            var _ = cluster.create(requestsOnly("limitless")).pod();
            var _ = cluster.create(Pods.asking("kept", SEVEN)).pod();
            apply(cluster, cluster.namespace(), "trainer", THREE, 3);
            apply(cluster, denying, "refused", SEVEN, 1);

            Event ofPod = one(cluster, cluster.namespace(), "Pod", "bare");
            assertThat(ofPod.getNote()).isEqualTo(CHANGED);
            assertThat(ofPod.getReason()).isEqualTo("NotOffered");
            assertThat(ofPod.getType()).isEqualTo("Normal");
            assertThat(ofPod.getReportingInstance()).isEqualTo(OWN_POD);
            assertThat(describe(cluster, "pod", "bare"))
                    .containsPattern("Normal +NotOffered +\\S+ +gpu-webhook +\\Q" + CHANGED + "\\E");
            Event ofLimit = one(cluster, cluster.namespace(), "Pod", "limitless");
            assertThat(ofLimit.getNote()).contains(TWO + " is set in requests only; the same limit was added");
            assertThat(ofLimit.getReason()).isEqualTo("Offered");
            assertThat(ofLimit.getType()).isEqualTo("Normal");
            Event ofKept = one(cluster, cluster.namespace(), "Pod", "kept");
            assertThat(ofKept.getReason()).isEqualTo("KeptAsWritten");
            assertThat(ofKept.getType()).isEqualTo("Warning");
            Event ofDeployment = one(cluster, cluster.namespace(), "Deployment", "trainer");
            assertThat(ofDeployment.getNote())
                    .isEqualTo("A pod of this Deployment was given another GPU resource: " + CHANGED);
            Eventually.within(
                    Duration.ofSeconds(70),
                    "the Event of the Deployment counts its three pods",
                    () -> one(cluster, cluster.namespace(), "Deployment", "trainer")
                                            .getSeries()
                                    != null
                            && one(cluster, cluster.namespace(), "Deployment", "trainer")
                                            .getSeries()
                                            .getCount()
                                    == 3);
            Event ofRefused = one(cluster, denying, "Deployment", "refused");
            assertThat(ofRefused.getNote())
                    .startsWith("A pod of this Deployment was denied: container main: no node offers");
            assertThat(ofRefused.getReason()).isEqualTo("DeniedNotOffered");
            assertThat(gateway.log()).doesNotContain("ERROR");
        } finally {
            takeBack(cluster);
        }
    }

    private static Pod requestsOnly(String name) {
        return new PodBuilder(Pods.asking(name, TWO))
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .withRequests(Map.of(TWO, new Quantity("1")))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void theStampTellsWhichPodItIsInAvailabilityMode(Cluster cluster) throws Exception {
        grant(cluster);
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            Gateway gateway = asked(mode, "events-reserving", "policy: {mode: availability}\n");
            cluster.addNode("worker", Map.of(THREE, "1", TWO, "8"));
            // While the node is not ready, pods wait and are told so.
            Reserving.awaitNodes(cluster, gateway);
            var _ = cluster.create(Pods.asking("first", THREE)).pod();
            cluster.awaitPhase("Running", 1);

            var _ = cluster.create(Pods.asking("second", THREE)).pod();
            var _ = cluster.create(Pods.asking("too-large", THREE, 4)).pod();

            assertThat(one(cluster, cluster.namespace(), "Pod", "second").getNote())
                    .contains("is free (0 of 1 on 1 node); using " + TWO);
            assertThat(one(cluster, cluster.namespace(), "Pod", "too-large").getReason())
                    .isEqualTo("NotOffered");
            assertThat(events(cluster, cluster.namespace(), "Pod", "first")).isEmpty();
        } finally {
            takeBack(cluster);
        }
    }

    @Test
    void withoutTheRightsPodsAreDecidedAsEver(Cluster cluster) throws Exception {
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            Gateway gateway = asked(mode, "events-without-rights", ALLOCATABLE, withoutRights(cluster));
            cluster.addNode("worker", Map.of(TWO, "8"));
            gateway.awaitNodes(1);

            for (int i = 0; i < 5; i++) {
                assertThat(Pods.limits(
                                cluster.create(Pods.asking("pod-" + i, THREE)).pod()))
                        .isEqualTo("{" + TWO + "=1}");
            }

            Eventually.holds("the API server has said no", () -> results(gateway, "failed") == 1);
            Eventually.holds("the other pods are left alone", () -> results(gateway, "dropped") == 4);
            assertThat(gateway.log()).containsOnlyOnce("events cannot be written, because the account lacks a right");
        } finally {
            var _ = cluster.plane()
                    .kubectl("delete", "clusterrolebinding", LESS + "-gpu-webhook", LESS + "-gpu-webhook-pods")
                    .run();
        }
    }

    @Test
    void aPairThatCannotBeUsedIsToldAtTheGatewaysOwnPod(Cluster cluster) throws Exception {
        grant(cluster);
        var own = cluster.client().pods().inNamespace(Account.NAMESPACE).resource(ownPod());
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            var _ = own.create();
            Gateway gateway = mode.gateway("events-of-tls", ALLOCATABLE, mode.announcingIn(OWN_POD))
                    .ready();
            gateway.overwriteCertificate("nonsense");

            Event event = one(cluster, Account.NAMESPACE, "Pod", OWN_POD);
            assertThat(event.getReason()).isEqualTo("CertificateRefused");
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getNote())
                    .startsWith("The changed certificate files cannot be used; serving the former pair: ")
                    .contains("tls.crt");
        } finally {
            var _ = own.delete();
            takeBack(cluster);
        }
    }

    /** As the namespace wants pods to be. */
    private static Pod ownPod() {
        return Pods.restricted(Pods.plain(OWN_POD));
    }

    /** What this account may not do is held against nobody, unlike what the gateway's own account tries. */
    private static Account withoutRights(Cluster cluster) throws Exception {
        String account = "--serviceaccount=" + cluster.namespace() + ":" + LESS;
        var _ = cluster.plane()
                .kubectl("create", "serviceaccount", LESS, "-n", cluster.namespace())
                .output();
        for (String role : List.of("gpu-webhook", "gpu-webhook-pods")) {
            var _ = cluster.plane()
                    .kubectl("create", "clusterrolebinding", LESS + "-" + role, "--clusterrole=" + role, account)
                    .output();
        }
        return Account.of(cluster.plane(), cluster.namespace(), LESS).announcingIn(OWN_POD);
    }

    private static Gateway asked(AvailabilityMode mode, String name, String policy) throws Exception {
        return asked(mode, name, policy, mode.announcingIn(OWN_POD));
    }

    private static Gateway asked(AvailabilityMode mode, String name, String policy, Account as) throws Exception {
        Gateway gateway = mode.gateway(name, policy, as).ready();
        mode.register(gateway.url(), new String(gateway.caBundle(), UTF_8));
        mode.awaitAsked(gateway, "default");
        return gateway;
    }

    private static void grant(Cluster cluster) {
        var _ = cluster.plane().kubectl("apply", "-f", RIGHTS).output();
        Eventually.holds(
                "the gateway may write Events",
                () -> cluster.plane()
                        .kubectl(
                                "auth",
                                "can-i",
                                "create",
                                "events.events.k8s.io",
                                "--all-namespaces",
                                "--as=system:serviceaccount:gpu-webhook:gpu-webhook")
                        .run()
                        .output()
                        .startsWith("yes"));
    }

    private static void takeBack(Cluster cluster) {
        var _ = cluster.plane()
                .kubectl("delete", "--ignore-not-found", "-f", RIGHTS)
                .output();
    }

    private static void apply(Cluster cluster, String namespace, String name, String resource, int replicas) {
        Map<String, String> labels = Map.of("app", name);
        Deployment deployment = new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withSpec(Pods.spec(Pods.container("main", resource, 1)))
                .endTemplate()
                .endSpec()
                .build();
        var _ = cluster.client().resource(deployment).create();
    }

    private static double results(Gateway gateway, String result) throws Exception {
        return gateway.metrics().sum("gpu_webhook_events_total", "result", result);
    }

    private static Event one(Cluster cluster, String namespace, String kind, String name) {
        Eventually.holds(
                "there is an Event at the " + kind + " " + name,
                () -> !events(cluster, namespace, kind, name).isEmpty());
        List<Event> found = events(cluster, namespace, kind, name);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static List<Event> events(Cluster cluster, String namespace, String kind, String name) {
        return cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> Objects.equals(event.getReportingController(), "gpu-webhook"))
                .filter(event -> event.getRegarding().getKind().equals(kind)
                        && event.getRegarding().getName().equals(name))
                .toList();
    }

    private static String describe(Cluster cluster, String kind, String name) {
        return cluster.plane()
                .kubectl("describe", kind, name, "--namespace", cluster.namespace())
                .output();
    }
}
