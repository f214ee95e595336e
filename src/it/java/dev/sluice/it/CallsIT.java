package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts the gateway is built on: how and how often the API server calls. */
@AgainstControlPlane
class CallsIT {

    private static final Pod POD = Pods.asking("pod", "nvidia.com/mig-2g.20gb");
    private static final String LABEL = "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"seen\":\"yes\"}}]";

    @Test
    void everyCallHasItsOwnUidAlsoWhenAnotherWebhookChangedThePodMeanwhile(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(
                        cluster, _ -> Reply.allow(), _ -> Reply.allow().patch(LABEL))
                .registered(webhook -> webhook.withReinvocationPolicy("IfNeeded"))) {
            var _ = witness.create(POD).pod();
            assertThat(witness.calls()).hasSize(3);
            assertThat(witness.calls()).extracting(Call::uid).doesNotHaveDuplicates();
            assertThat(witness.calls().getLast().pod().getMetadata().getLabels())
                    .containsEntry("seen", "yes");
        }
    }

    @Test
    void aConditionThatFailsMeansNotAskedWhereFailuresAreIgnored(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.deny("never")).registered()) {
            witness.edit(webhook -> {
                webhook.setFailurePolicy("Fail");
                webhook.setMatchConditions(
                        List.of(new MatchCondition("object.metadata.labels.app == 'x'", "labelled")));
            });
            Eventually.holds(
                    "the condition fails", () -> witness.create(POD).message().contains("no such key: labels"));
            witness.edit(webhook -> webhook.setFailurePolicy("Ignore"));
            Eventually.holds("the pod passes", () -> witness.create(POD).status() == 201);
        }
    }

    @Test
    void aDryRunIsToldAndReachesAWebhookWithoutSideEffectsThen(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            assertThat(witness.dryRun(POD).status()).isEqualTo(201);
            assertThat(witness.create(POD).status()).isEqualTo(201);
            assertThat(witness.calls())
                    .extracting(call -> call.request().path("dryRun").asBoolean())
                    .containsExactly(true, false);
        }
    }

    @Test
    void theDeadlineStandsInTheQuery(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            var _ = witness.create(POD);
            assertThat(witness.calls()).extracting(Call::query).containsExactly("timeout=5s");
        }
    }

    @Test
    void a503WithRetryAfterIsAskedAgain(Cluster cluster) throws Exception {
        Refusals refusals = new Refusals(2, Map.of("Retry-After", "0"));
        try (Witness witness = new Witness(cluster, _ -> refusals.next()).registered()) {
            Pod pod = witness.create(POD).pod();
            assertThat(pod.getMetadata().getLabels()).containsEntry("seen", "yes");
            assertThat(witness.calls()).hasSize(3);
            assertThat(witness.calls())
                    .extracting(Call::uid)
                    .containsOnly(witness.calls().getFirst().uid());
        }
    }

    @Test
    void a503WithoutRetryAfterIsAFailedCall(Cluster cluster) throws Exception {
        Refusals refusals = new Refusals(1, Map.of());
        try (Witness witness = new Witness(cluster, _ -> refusals.next()).registered()) {
            Pod pod = witness.create(POD).pod();
            assertThat(pod.getMetadata().getLabels()).isNullOrEmpty();
            assertThat(witness.calls()).hasSize(1);
        }
    }

    /** So many refusals, then a change. */
    private static final class Refusals {
        private final Map<String, String> headers;
        private int left;

        Refusals(int count, Map<String, String> headers) {
            this.left = count;
            this.headers = headers;
        }

        Reply next() {
            return left-- > 0 ? Reply.status(503, headers) : Reply.allow().patch(LABEL);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void towardsThisMachineItSpeaksHttp2WhereThatIsOffered(String host, Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow())) {
            var _ = witness.registered(webhook -> webhook.editClientConfig()
                    .withUrl("https://" + host + ":" + witness.port() + "/0")
                    .endClientConfig());
            var _ = witness.create(POD).pod();
            assertThat(witness.calls()).extracting(Call::version).containsExactly(HttpVersion.HTTP_2);
        }
    }

    @Test
    void towardsAServiceItSpeaksHttp1(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow())) {
            var _ = registeredByService(witness, cluster);
            var _ = witness.create(POD).pod();
            assertThat(witness.calls()).extracting(Call::version).containsExactly(HttpVersion.HTTP_1_1);
        }
    }

    private static Witness registeredByService(Witness witness, Cluster cluster) {
        var _ = cluster.client().resource(loopback(witness)).create();
        return witness.registered(webhook -> webhook.withNewClientConfig()
                .withCaBundle(witness.caBundle())
                .withNewService()
                .withNamespace(witness.namespace())
                .withName(Witness.serviceName())
                .withPort(witness.port())
                .withPath("/0")
                .endService()
                .endClientConfig());
    }

    /** A Service that leads to this machine; a cluster's own addresses lead nowhere here. */
    private static Service loopback(Witness witness) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(witness.namespace())
                .withName(Witness.serviceName())
                .endMetadata()
                .withNewSpec()
                .withType("ExternalName")
                .withExternalName("localhost")
                .addNewPort()
                .withPort(witness.port())
                .endPort()
                .endSpec()
                .build();
    }

    @Test
    void ofTheConnectionsOfABurst25AreKept(Cluster cluster) throws Exception {
        int burst = 60;
        try (Witness witness = new Witness(cluster, _ -> Reply.allow());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            registeredByService(witness, cluster).hold(burst);
            IntStream.range(0, burst).forEach(i -> clients.execute(() -> create(witness, "pod-" + i)));
            Eventually.holds("all are answered", () -> witness.calls().size() == burst);
            Eventually.holds("25 connections are left", () -> witness.connections() == 25);
        }
    }

    private static void create(Witness witness, String name) {
        try {
            var _ = witness.create(Pods.plain(name)).pod();
        } catch (Exception e) {
            throw new AssertionError(name, e);
        }
    }
}
