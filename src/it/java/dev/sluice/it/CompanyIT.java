package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Beside LimitRanges, other webhooks, policies of admission and scheduling gates. */
@AgainstControlPlane
class CompanyIT {

    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.40gb";
    private static final String SEVEN = "nvidia.com/mig-7g.80gb";
    private static final String GIVEN = "{" + TWO + "=1, " + THREE + "=0}";
    private static final String BOTH = "{" + TWO + "=1, " + THREE + "=1}";
    private static final String AS_WRITTEN = "{" + THREE + "=1}";
    private static final String TAINT = "nvidia.com/gpu=present:NoSchedule";
    /** The namespace of a {@link Witness} is named so. */
    private static final String DENYING = "policy: {namespaces: {\"*-witness\": {whenNotOffered: deny}}}\n";

    static final String TOLERATION =
            "[{'op':'add','path':'/spec/tolerations/-','value':{'key':'nvidia.com/gpu','operator':'Exists'}}]";

    /** canonical/bundle-kubeflow#599: LimitRanger would write its default back, or miss a limit. */
    @ParameterizedTest
    @ValueSource(strings = {"Container default", "Container defaultRequest", "Container max", "Pod max"})
    void aLimitRangeThatNamesTheAskedResourceFindsItWithZero(String kind, Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        limit(cluster, kind, "2");
        awaitGiven(cluster, GIVEN);
        Pod pod = cluster.create(Pods.asking("pod", THREE)).pod();
        assertThat(Pods.limits(pod)).isEqualTo(GIVEN).isEqualTo(Pods.requests(pod));
        assertThat(Pods.fallback(pod)).isEqualTo("3g.40gb->2g.20gb");
        cluster.awaitPhase("Running", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Container min", "Container maxLimitRequestRatio", "Pod min", "Pod maxLimitRequestRatio"})
    void whatALimitRangeWantsIsNotTakenAway(String kind, Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        limit(cluster, kind, "1");
        awaitGiven(cluster, AS_WRITTEN);
        Api.Answer answer = cluster.create(Pods.asking("pod", THREE));
        assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN);
        assertThat(Pods.fallback(answer.pod())).isEmpty();
        assertThat(answer.warnings()).singleElement().asString().contains("a LimitRange of the namespace rules out");
    }

    private static void awaitGiven(Cluster cluster, String given) {
        Eventually.holds(
                "the LimitRange is known",
                () -> Pods.limits(cluster.dryRun(Pods.asking("probe", THREE)).pod())
                        .equals(given));
    }

    private static void limit(Cluster cluster, String kind, String quantity) {
        String[] words = kind.split(" ", -1);
        Map<String, Quantity> quantities = Map.of(THREE, new Quantity(quantity));
        LimitRangeItemBuilder item = new LimitRangeItemBuilder().withType(words[0]);
        LimitRangeItem limits = (switch (words[1]) {
                    case "default" -> item.withDefault(quantities);
                    case "defaultRequest" -> item.withDefaultRequest(quantities);
                    case "min" -> item.withMin(quantities);
                    case "max" -> item.withMax(quantities);
                    default -> item.withMaxLimitRequestRatio(quantities);
                })
                .build();
        cluster.limit(limits);
    }

    @ParameterizedTest
    @CsvSource({"z-writer, IfNeeded", "z-writer, Never", "a-writer, IfNeeded"})
    void whatAnotherWebhookWritesBackIsKeptAsWrittenOnce(String name, String reinvocation, Cluster cluster)
            throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        try (Witness witness = new Witness(cluster, CompanyIT::writeBack)
                .registeredAs(name, webhook -> webhook.withReinvocationPolicy(reinvocation))
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("wrote it back; kept as written");
        }
    }

    /** The author asks for the slice that is there and for one that is not, so Sluice makes them one quantity. */
    @ParameterizedTest
    @CsvSource({
        "z-writer, IfNeeded, " + THREE,
        "z-writer, Never, " + THREE,
        "z-writer, IfNeeded, " + TWO,
        "z-writer, Never, " + TWO,
        "a-writer, IfNeeded, " + THREE
    })
    void whoeverAsksForBothResourcesEndsWithBoth(String name, String reinvocation, String written, Cluster cluster)
            throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        try (Witness witness = new Witness(cluster, _ -> writeBack(written))
                .registeredAs(name, webhook -> webhook.withReinvocationPolicy(reinvocation))
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(both());
            assertThat(Pods.limits(answer.pod())).isEqualTo(BOTH).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("wrote it back; kept as written");
        }
    }

    @Test
    void whoeverAsksForBothResourcesGetsBothBackWhenTheyCanBeHad(Cluster cluster) throws Exception {
        cluster.addNode(
                "gpu", Map.of(TWO, "4", THREE, "4"), new Taint("NoSchedule", "nvidia.com/gpu", null, "present"));
        cluster.node("old", Map.of(TWO, "7"));
        try (Witness witness =
                tolerating(cluster, "kyverno-resource-mutating-webhook-cfg").withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(both());
            assertThat(Pods.limits(answer.pod())).isEqualTo(BOTH).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.ofSluice(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("can be had after all");
        }
    }

    static Pod both() {
        return new PodBuilder(Pods.asking("pod", THREE))
                .editSpec()
                .editFirstContainer()
                .editResources()
                .addToLimits(TWO, new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** With server-side apply, managedFields have an entry Apply and none of the operation Update. */
    @Test
    void aPodThatIsAppliedByTheServerIsKeptAsWrittenToo(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        try (Witness witness = new Witness(cluster, CompanyIT::writeBack)
                .registeredAs("z-writer", UnaryOperator.identity())
                .withGateway(cluster.gateway())) {
            Path file = cluster.plane().scratch("applied").resolve("pod.json");
            Files.writeString(file, Serialization.asJson(Pods.asking("pod", THREE)));
            List<String> apply = List.of("apply", "--server-side", "-n", witness.namespace(), "-f", file.toString());
            String dry = cluster.plane()
                    .kubectl(Stream.concat(apply.stream(), Stream.of("--dry-run=server"))
                            .toArray(String[]::new))
                    .output();
            assertThat(dry).contains("server dry run");
            var _ = cluster.plane().kubectl(apply.toArray(String[]::new)).output();
            Pod pod = cluster.client()
                    .pods()
                    .inNamespace(witness.namespace())
                    .withName("pod")
                    .get();
            assertThat(Pods.limits(pod)).isEqualTo(AS_WRITTEN).isEqualTo(Pods.requests(pod));
            assertThat(Pods.fallback(pod)).isEmpty();
            assertThat(pod.getMetadata().getManagedFields())
                    .extracting(ManagedFieldsEntry::getOperation)
                    .contains("Apply");
        }
    }

    private static Reply writeBack(Call call) {
        return writeBack(THREE);
    }

    static Reply writeBack(String resource) {
        return ReportsIT.patch("""
                [{'op':'add','path':'/spec/containers/0/resources/limits/%1$s','value':'1'},
                {'op':'add','path':'/spec/containers/0/resources/requests/%1$s','value':'1'}]""".formatted(resource.replace("/", "~1")));
    }

    /** Policies that remove limits of CPU often remove all limits; the API server refuses a GPU without one. */
    @ParameterizedTest
    @ValueSource(strings = {THREE, TWO})
    void aLimitThatAnotherWebhookTakesAwayIsAddedAgainAndTold(String asked, Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        try (Witness witness = new Witness(
                        cluster,
                        _ -> Reply.allow()
                                .patch("[{'op':'remove','path':'/spec/containers/0/resources/limits'}]"
                                        .replace('\'', '"')))
                .registeredAs("kyverno-resource-mutating-webhook-cfg", UnaryOperator.identity())
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", asked));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + TWO + "=1}").isEqualTo(Pods.requests(answer.pod()));
            assertThat(answer.warnings())
                    .last()
                    .asString()
                    .contains(asked + " is set in requests only; the same limit was added");
        }
    }

    /** kyverno/policies#1235: the toleration comes from a webhook whose name sorts behind. */
    @Test
    void aChangeThatIsNoLongerNeededIsTakenBack(Cluster cluster) throws Exception {
        tainted(cluster, "gpu", "nvidia.com/gpu", THREE);
        cluster.node("old", Map.of(ONE, "7"));
        try (Witness witness =
                tolerating(cluster, "kyverno-resource-mutating-webhook-cfg").withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("slice", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("can be had after all");
        }
    }

    /** The pool that a webhook behind chooses lacks what was given, and has another fallback. */
    @Test
    void aSelectorThatWasAddedInBetweenCounts(Cluster cluster) throws Exception {
        cluster.addNode("worker", Map.of(TWO, "12"));
        cluster.node("pool", Map.of(ONE, "7"));
        try (Witness witness = new Witness(
                        cluster,
                        _ -> ReportsIT.patch("[{'op':'add','path':'/spec/nodeSelector',"
                                + "'value':{'kubernetes.io/hostname':'pool'}}]"))
                .registeredAs("kyverno-resource-mutating-webhook-cfg", UnaryOperator.identity())
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + ONE + "=1}").isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEqualTo("3g.40gb->1g.10gb");
            assertThat(answer.warnings()).last().asString().contains("using " + ONE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kyverno-resource-mutating-webhook-cfg", "a-kyverno"})
    void aPodIsWarnedUnlessTheTolerationComesBefore(String name, Cluster cluster) throws Exception {
        tainted(cluster, "gpu", "nvidia.com/gpu", SEVEN);
        cluster.node("old", Map.of(ONE, "7"));
        try (Witness witness = tolerating(cluster, name).withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("slice", SEVEN));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + SEVEN + "=1}");
            if (comesBefore(name)) {
                assertThat(answer.warnings()).isEmpty();
            } else {
                assertThat(answer.warnings())
                        .singleElement()
                        .asString()
                        .contains("no node this pod may use offers " + SEVEN);
            }
        }
    }

    /** The denial of the first look cannot know what comes behind; a name that sorts before lets it know. */
    @ParameterizedTest
    @ValueSource(strings = {"kyverno-resource-mutating-webhook-cfg", "a-kyverno"})
    void aDenialNamesTheTaintUnlessTheTolerationComesBefore(String name, Cluster cluster) throws Exception {
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            Gateway denying = mode.gateway("denying-" + name, DENYING).ready();
            mode.register(denying.url(), new String(denying.caBundle(), UTF_8));
            mode.awaitAsked(denying, "default");
            tainted(cluster, "gpu", "nvidia.com/gpu", SEVEN);
            cluster.node("old", Map.of(ONE, "7"));
            denying.awaitNodes(2);
            try (Witness witness = tolerating(cluster, name).withGateway(denying)) {
                Api.Answer answer = witness.create(Pods.asking("slice", SEVEN));
                if (comesBefore(name)) {
                    assertThat(Pods.limits(answer.pod())).isEqualTo("{" + SEVEN + "=1}");
                    assertThat(answer.warnings()).isEmpty();
                } else {
                    assertThat(answer.status()).isEqualTo(403);
                    assertThat(answer.message()).contains(SEVEN).contains(TAINT);
                }
            }
        }
    }

    /** The API server calls the configurations in the order of their names. */
    private static boolean comesBefore(String name) {
        return name.compareTo(Registration.NAME) < 0;
    }

    @Test
    void aMutatingAdmissionPolicyComesBeforeTheFirstLook(Cluster cluster) throws Exception {
        tainted(cluster, "gpu", "nvidia.com/gpu", THREE);
        cluster.node("old", Map.of(ONE, "7"));
        String tolerate = "object.spec.tolerations.exists(t, has(t.key) && t.key == 'nvidia.com/gpu') ? [] :"
                + " [JSONPatch{op: 'add', path: '/spec/tolerations/-',"
                + " value: Object.spec.tolerations{key: 'nvidia.com/gpu', operator: 'Exists'}}]";
        try (AutoCloseable _ = policy(cluster, "tolerate-gpus", tolerate)) {
            awaitGiven(cluster, AS_WRITTEN);
            Api.Answer answer = cluster.create(Pods.asking("slice", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN);
            assertThat(answer.warnings()).isEmpty();
        }
    }

    /** The policy is asked again after the exchange, and before the second look. */
    @Test
    void whatAMutatingAdmissionPolicyWritesBackIsKeptAsWritten(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        String writeBack = Stream.of("limits", "requests")
                .map(map -> "JSONPatch{op: 'add', path: '/spec/containers/0/resources/" + map + "/"
                        + THREE.replace("/", "~1") + "', value: '1'}")
                .collect(Collectors.joining(", ", "[", "]"));
        try (AutoCloseable _ = policy(cluster, "write-back", writeBack)) {
            awaitGiven(cluster, AS_WRITTEN);
            Api.Answer answer = cluster.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("wrote it back; kept as written");
        }
    }

    /** A MutatingAdmissionPolicy for the pods of this test; it is gone at the end. */
    private static AutoCloseable policy(Cluster cluster, String name, String patch) {
        for (String manifest : List.of("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingAdmissionPolicy
                metadata: {name: %s}
                spec:
                  failurePolicy: Fail
                  reinvocationPolicy: IfNeeded
                  matchConstraints:
                    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                    resourceRules:
                    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
                  mutations:
                  - patchType: JSONPatch
                    jsonPatch:
                      expression: >-
                        %s
                """.formatted(name, cluster.namespace(), patch), """
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingAdmissionPolicyBinding
                metadata: {name: %1$s}
                spec: {policyName: %1$s}
                """.formatted(name))) {
            var _ = cluster.client()
                    .load(new ByteArrayInputStream(manifest.getBytes(UTF_8)))
                    .create();
        }
        return () -> {
            for (String kind : List.of("mutatingadmissionpolicybindings", "mutatingadmissionpolicies")) {
                var _ = cluster.plane().kubectl("delete", kind, name).output();
            }
        };
    }

    static Witness tolerating(Cluster cluster, String name) {
        return new Witness(
                        cluster,
                        call -> call.object()
                                        .path("spec")
                                        .path("tolerations")
                                        .toString()
                                        .contains("\"nvidia.com/gpu\"")
                                ? Reply.allow()
                                : Reply.allow().patch(TOLERATION.replace('\'', '"')))
                .registeredAs(name, webhook -> webhook.withReinvocationPolicy("Never"));
    }

    private static void tainted(Cluster cluster, String node, String key, String resource) {
        cluster.node(node, Map.of(resource, "4"), new Taint("NoSchedule", key, null, "present"));
    }

    @Test
    void aTaintNamedAfterTheGivenResourceIsToleratedByWhoeverIsGivenIt(Cluster cluster) throws Exception {
        tainted(cluster, "worker", TWO, TWO);
        Pod pod = cluster.create(Pods.asking("pod", THREE)).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{" + TWO + "=1}");
        cluster.awaitPhase("Running", 1);
    }

    @Test
    void aGatedPodKeepsWhatItAsks(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "4"));
        Pod gated = new PodBuilder(Pods.asking("gated", THREE))
                .editSpec()
                .withSchedulingGates(new PodSchedulingGate("kueue.x-k8s.io/admission"))
                .endSpec()
                .build();
        Api.Answer answer = cluster.create(gated);
        assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN);
        assertThat(answer.warnings()).singleElement().asString().contains("the pod has scheduling gates");
    }

    /** openshift/instaslice-operator#11, and Kueue: the gate comes from a webhook whose name sorts behind. */
    @Test
    void aPodThatIsGatedAfterItWasDecidedKeepsWhatItAsks(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "4"));
        try (Witness witness = new Witness(
                        cluster,
                        call -> call.object().path("spec").has("schedulingGates")
                                ? Reply.allow()
                                : Reply.allow()
                                        .patch(
                                                "[{'op':'add','path':'/spec/schedulingGates','value':[{'name':'kueue.x-k8s.io/admission'}]}]"
                                                        .replace('\'', '"')))
                .registeredAs("kueue-mutating-webhook-configuration", UnaryOperator.identity())
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo(AS_WRITTEN).isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("the pod has scheduling gates");
        }
    }

    /** istio/istio#54575: injectors put their container first, which moves all others between the two looks. */
    @ParameterizedTest
    @ValueSource(strings = {"/spec/containers/0", "/spec/containers/-", "/spec/initContainers"})
    void aSidecarThatIsInjectedInBetweenTakesNothingFromTheOthers(String place, Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        String proxy = "{'name':'proxy','image':'none','resources':{'requests':{'cpu':'100m'}}}";
        String patch = "[{'op':'add','path':'" + place + "','value':"
                + (place.endsWith("initContainers") ? "[" + proxy + "]" : proxy) + "}]";
        try (Witness witness = new Witness(
                        cluster,
                        call -> call.object().toString().contains("\"proxy\"")
                                ? Reply.allow()
                                : Reply.allow().patch(patch.replace('\'', '"')))
                .registeredAs("istio-sidecar-injector", UnaryOperator.identity())
                .withGateway(cluster.gateway())) {
            Pod pod = witness.create(Pods.asking("pod", THREE)).pod();
            assertThat(pod.getSpec().getContainers())
                    .filteredOn(container -> container.getName().equals("main"))
                    .singleElement()
                    .satisfies(container -> assertThat(
                                    new TreeMap<>(container.getResources().getLimits()).toString())
                            .isEqualTo("{" + TWO + "=1}"));
            assertThat(pod.toString()).doesNotContain(THREE + "=1");
            assertThat(Pods.fallback(pod)).isEqualTo("3g.40gb->2g.20gb");
        }
    }

    /** linkerd/linkerd2#3748: LimitRanger gives its default to the injected container, too. */
    @Test
    void whatALimitRangeGivesASidecarIsDecidedLikeEverythingElse(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        limit(cluster, "Container default", "1");
        awaitGiven(cluster, GIVEN);
        try (Witness _ = new Witness(
                        cluster,
                        call -> call.object().toString().contains("\"proxy\"")
                                ? Reply.allow()
                                : Reply.allow()
                                        .patch(
                                                "[{'op':'add','path':'/spec/containers/0','value':{'name':'proxy','image':'none'}}]"
                                                        .replace('\'', '"')))
                .registeredAs(
                        "linkerd-proxy-injector",
                        webhook -> webhook.withNewNamespaceSelector()
                                .addNewMatchExpression()
                                .withKey("kubernetes.io/metadata.name")
                                .withOperator("In")
                                .withValues(cluster.namespace(), cluster.namespace() + "-witness")
                                .endMatchExpression()
                                .endNamespaceSelector())) {
            Pod pod = cluster.create(Pods.asking("pod", THREE)).pod();
            assertThat(pod.getSpec().getContainers())
                    .hasSize(2)
                    .allSatisfy(container -> assertThat(
                                    new TreeMap<>(container.getResources().getLimits()).toString())
                            .isEqualTo(GIVEN));
        }
    }

    /** Azure/AKS#4002: the enforcer adds its terms to the selector of every configuration. */
    @Test
    void aNamespaceSelectorThatThePlatformHasExtendedChangesNothing(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        var configuration = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(Registration.NAME);
        var before = configuration.get().getWebhooks().getFirst().getNamespaceSelector();
        var _ = configuration.edit(found -> {
            var terms = found.getWebhooks().getFirst().getNamespaceSelector().getMatchExpressions();
            terms.add(new LabelSelectorRequirement("control-plane", "NotIn", List.of("true")));
            terms.add(new LabelSelectorRequirement("kubernetes.azure.com/managedby", "NotIn", List.of("aks")));
            return found;
        });
        try {
            assertThat(Pods.limits(cluster.create(Pods.asking("pod", THREE)).pod()))
                    .isEqualTo("{" + TWO + "=1}");
        } finally {
            var _ = configuration.edit(found -> {
                found.getWebhooks().getFirst().setNamespaceSelector(before);
                return found;
            });
        }
    }
}
