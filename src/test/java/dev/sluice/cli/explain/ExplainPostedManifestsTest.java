package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.ledger.Ledger;
import dev.sluice.management.ManagementManifestExplainer.ExplainBasis;
import dev.sluice.management.ManagementManifestExplainer.ExplainQuestion;
import dev.sluice.replication.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway says about the manifests of strangers. */
class ExplainPostedManifestsTest {

    /** Two GPUs, one of which team-b has; a pod of team-b waits for the other one, and one of team-a has CPU. */
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "8", memory: 128Gi, nvidia.com/gpu: "2", pods: "10"}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: secret-training, namespace: team-b, uid: u1}
            spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "1"}, limits: {nvidia.com/gpu: 1}}}]}
            status: {phase: Running}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: secret-waiting, namespace: team-b, uid: u2}
            spec: {containers: [{name: c, resources: {requests: {cpu: "1"}, limits: {nvidia.com/gpu: 1}}}]}
            status: {phase: Pending}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: secret-web, namespace: team-b, uid: u3}
            spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}
            status: {phase: Running}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: mine, namespace: team-a, uid: u4}
            spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "2"}, limits: {nvidia.com/gpu: 0}}}]}
            status: {phase: Running}
            """;

    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "team-b"},
             "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "7"}, "limits": {"nvidia.com/gpu": "1"}}}]}}
            """;

    /** Whoever may create pods in the namespace team-a. */
    private static final ExplainQuestion TENANT =
            new ExplainQuestion("", Optional.of("team-a"), /* isOfTenant= */ true, /* text= */ true);

    /** Whoever may read everything. */
    private static final ExplainQuestion READER =
            new ExplainQuestion("", Optional.empty(), /* isOfTenant= */ false, /* text= */ true);

    private static final ExplainQuestion READER_OF_TEAM =
            new ExplainQuestion("", Optional.of("team-a"), /* isOfTenant= */ false, /* text= */ true);

    private final ExplainPostedManifests explainer = new ExplainPostedManifests();

    @TempDir
    private Path directory;

    private ExplainBasis basis(String policy) throws Exception {
        return basis(policy, Optional.empty());
    }

    private ExplainBasis basis(String policy, Optional<ReplicationStatusMessage> replication) throws Exception {
        Path config = Files.writeString(directory.resolve("gateway.yaml"), policy);
        Path file = Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
        Loading.Loaded loaded = (Loading.Loaded) ConfigLoader.load(config, Map.of());
        SnapshotFile.SnapshotContents contents =
                SnapshotFile.read(file, KubectlFileLimits.ofCommand(KubectlFileLimits.MEBIBYTES));
        Ledger ledger = new ClusterContents(contents.nodes(), contents.pods(), LeftOut.NOTHING).ledger();
        ActivePolicy active = ActivePolicy.first(loaded.config().policy(), loaded.injector());
        return new ExplainBasis(
                active,
                ledger.snapshot(),
                active.policies().reserve()
                        ? Optional.of(new LedgerCopyReply(
                                ledger.snapshot(), ledger.copyOfPods(), DraState.NONE, /* podsKnown= */ true))
                        : Optional.empty(),
                replication,
                ResourceFaults.NONE);
    }

    private DocumentResponse ask(ExplainBasis basis, String body, ExplainQuestion asker) {
        return explainer.explain(
                new ExplainQuestion(body, asker.namespace(), asker.isOfTenant(), /* text= */ true), basis);
    }

    private static JsonNode json(DocumentResponse answer) throws Exception {
        assertThat(answer.status()).as(answer.json()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.json());
    }

    @Test
    void thePolicyAndTheLedgerOfTheGatewayDecide() throws Exception {
        JsonNode answer = json(ask(basis("policy: {mode: availability}"), POD, TENANT));

        assertThat(answer.at("/policy").asText()).isEqualTo("gateway");
        assertThat(answer.at("/gateway/policyGeneration").asLong()).isEqualTo(1);
        assertThat(answer.at("/notes/0").asText())
                .startsWith(
                        "It is not known whether the API server asks Sluice about these pods: a gateway does not read");
        assertThat(answer.at("/gateway/reservations").asText()).isEqualTo("own");
        assertThat(answer.at("/pods/0/namespace").asText()).isEqualTo("team-a");
        assertThat(answer.at("/pods/0/asked/0/candidates/0/nodes/0/answer").asText())
                .isEqualTo("inUse");
        assertThat(answer.at("/text").asText())
                .contains("Pod x, namespace team-a")
                .contains("Policy: that of the running gateway, generation 1. What is free is what this replica");

        JsonNode offers = json(ask(basis("policy: {mode: allocatable}"), POD, READER));
        assertThat(offers.at("/pods/0/mode").asText()).isEqualTo("allocatable");
        assertThat(offers.at("/pods/0/namespace").asText()).isEqualTo("team-b");
        assertThat(offers.at("/gateway").has("reservations")).isFalse();
    }

    @Test
    void aTenantSeesItsOwnPodsByNameAndOthersTogether() throws Exception {
        DocumentResponse tenant = ask(basis("policy: {mode: availability}"), POD, TENANT);
        DocumentResponse reader = ask(basis("policy: {mode: availability}"), POD, READER_OF_TEAM);

        assertThat(reader.json()).contains("team-b/secret-training").contains("team-b/secret-waiting");
        assertThat(tenant.json())
                .doesNotContain("team-b")
                .doesNotContain("secret")
                .contains("others");
        JsonNode gpus = json(tenant).at("/pods/0/asked/0/candidates/0/nodes/0/short");
        assertThat(gpus.toString())
                .contains("{\"pod\":\"others\",\"bound\":true,\"amount\":1}")
                .contains("{\"pod\":\"others\",\"bound\":false,\"amount\":1}");
    }

    @Test
    void aTenantCannotMeanAnotherNamespace() throws Exception {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "resource": {"group": "", "version": "v1",
                 "resource": "pods"}, "namespace": "%s", "operation": "CREATE", "object": %s}}
                """;
        ExplainBasis basis = basis("policy: {mode: availability}");
        for (String body : List.of(
                review.formatted("team-b", POD),
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [%s, %s]}"
                        .formatted(POD, review.formatted("team-b", POD)))) {
            DocumentResponse refused = ask(basis, body, TENANT);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.json()).doesNotContain("team-b");
        }
        assertThat(json(ask(basis, review.formatted("team-a", POD), TENANT))
                        .at("/pods/0/namespace")
                        .asText())
                .isEqualTo("team-a");
    }

    /** The pod itself may name anything; its answer says no more for it. */
    @Test
    void whatAPodClaimsToBeRevealsNothing() throws Exception {
        String hostile = """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "secret", "namespace": "team-b", "uid": "u1",
                  "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "u1", "controller": true}],
                  "annotations": {"gpu-webhook.k8s.io/decision": "0", "gpu-webhook.k8s.io/fallback": "a->b"}},
                 "spec": {"nodeName": "n1", "serviceAccountName": "x",
                  "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                   {"topologyKey": "kubernetes.io/hostname", "namespaces": ["team-b"], "labelSelector": {}}]}},
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "8"}, "limits": {"nvidia.com/gpu": "2"}}}]}}
                """;
        DocumentResponse answer = ask(basis("policy: {mode: availability}"), hostile, TENANT);
        assertThat(json(answer).at("/pods/0/namespace").asText()).isEqualTo("team-a");
        assertThat(answer.json()).doesNotContain("team-b").doesNotContain("secret-");
    }

    @Test
    void workloadsAndListsAreExplainedAndOtherObjectsAreNot() throws Exception {
        String template = POD.replace("\"kind\": \"Pod\", ", "").replace("\"apiVersion\": \"v1\", ", "");
        String list = """
                {"apiVersion": "v1", "kind": "List", "items": [
                 {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}},
                 {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                  "spec": {"replicas": 3, "template": %s}}]}
                """.formatted(template);
        JsonNode answer = json(ask(basis("policy: {}"), list, READER));
        assertThat(answer.at("/pods")).hasSize(1);
        assertThat(answer.at("/pods/0/copies").asInt()).isEqualTo(3);
        assertThat(answer.at("/pods/0/source").asText()).isEqualTo("the body");

        for (String nothing : List.of("{}", "{\"kind\": \"ConfigMap\"}", "[]", "1", "", "kind: Pod", "{kind: Pod}")) {
            assertThat(ask(basis("policy: {}"), nothing, READER).status())
                    .as(nothing)
                    .isEqualTo(400);
        }
    }

    @Test
    void whatIsTooMuchIsRefused() throws Exception {
        ExplainBasis basis = basis("policy: {}");
        String many = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": ["
                + (POD + ",").repeat(ExplainPostedManifests.MOST_PODS) + POD + "]}";
        assertThat(ask(basis, many, READER).status()).isEqualTo(413);
        String deep = "{\"kind\": \"x\", \"a\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThat(ask(basis, deep, READER).status()).isEqualTo(400);
        String nested = "{\"kind\": \"x\", \"a\": " + "{\"template\":".repeat(900) + "{}" + "}".repeat(900) + "}";
        assertThat(ask(basis, nested, READER).status()).isEqualTo(400);
    }

    @Test
    void theAnswerSaysWhoseReservationsCount() throws Exception {
        Member self = new Member("self", "10.0.0.1:8444");
        Member holder = new Member("holder", "10.0.0.2:8444");
        for (boolean inSync : List.of(true, false)) {
            ReplicationStatusMessage status = new ReplicationStatusMessage(
                    self,
                    Optional.of(holder),
                    1,
                    inSync ? List.of(holder, self) : List.of(holder),
                    Map.of(),
                    0,
                    0,
                    Duration.ZERO,
                    0,
                    "");
            JsonNode answer = json(ask(basis("policy: {mode: availability}", Optional.of(status)), POD, READER));
            assertThat(answer.at("/gateway/reservations").asText()).isEqualTo(inSync ? "copyInSync" : "copyNotInSync");
        }
    }

    @Test
    void beforeThePodsAreKnownNothingIsExplained() throws Exception {
        ExplainBasis known = basis("policy: {mode: availability}");
        LedgerCopyReply early = new LedgerCopyReply(known.cluster(), List.of(), DraState.NONE, /* podsKnown= */ false);
        ExplainBasis unknown = new ExplainBasis(
                known.policy(), known.cluster(), Optional.of(early), Optional.empty(), ResourceFaults.NONE);
        assertThat(ask(unknown, POD, READER).status()).isEqualTo(503);
    }
}
