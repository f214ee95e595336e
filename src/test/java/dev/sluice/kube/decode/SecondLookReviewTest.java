package dev.sluice.kube.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Decider;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reviews of pods that Sluice has changed, and that other webhooks have changed since. */
class SecondLookReviewTest {

    private static final String ONE_G = "nvidia.com/mig-1g.10gb";
    private static final String TWO_G = "nvidia.com/mig-2g.20gb";
    private static final String FALLBACK = "\"gpu-webhook.k8s.io/fallback\": \"1g.10gb->2g.20gb\"";
    private static final ClusterSnapshot TWO_G_ONLY = RandomCluster.snapshot(List.of(node("n", TWO_G)));
    private static final String ASKED = "\"gpu-webhook.k8s.io/asked\": \"main 1g.10gb=1 2g.20gb=1\"";
    private static final ClusterSnapshot BOTH = RandomCluster.snapshot(List.of(node("n", TWO_G), node("o", ONE_G)));

    /** No node offers both, and few offer the smaller one. */
    private static final ClusterSnapshot APART =
            RandomCluster.snapshot(List.of(node("n", TWO_G), node("o", Amounts.of(new ResourceName(ONE_G), 1))));
    /** One node offers both. */
    private static final ClusterSnapshot TOGETHER = RandomCluster.snapshot(List.of(
            node("n", Amounts.of(new ResourceName(ONE_G), 4).plus(Amounts.of(new ResourceName(TWO_G), 4)))));

    private static Node node(String name, String resource) {
        return node(name, Amounts.of(new ResourceName(resource), 4));
    }

    private static Node node(String name, Amounts offered) {
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 1);
    }

    /** Returns the decision about a pod whose author asked for one of these resources. */
    private static Verdict.Allowed decided(String metadata, String resources, ClusterSnapshot cluster)
            throws NotAReviewException {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u", \
                "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team", \
                "object": {"metadata": {%s}, "spec": {"containers": [{"name": "main", "resources": \
                {"limits": {%s}, "requests": {%s}}}]}}}}""".formatted(metadata, resources, resources);
        AdmissionReview.PodObject object = new ReviewDecoder()
                .decode(review.getBytes(StandardCharsets.UTF_8))
                .object();
        assertThat(object).isInstanceOf(AdmissionReview.PodObject.ReadPod.class);
        Verdict verdict = Decider.decide(
                ((AdmissionReview.PodObject.ReadPod) object).request(), NamespacePolicy.of(Policy.DEFAULT), cluster);
        assertThat(verdict).isInstanceOf(Verdict.Allowed.class);
        return (Verdict.Allowed) verdict;
    }

    private static String authored(String... resources) {
        StringBuilder fields = new StringBuilder();
        for (String resource : resources) {
            fields.append(fields.isEmpty() ? "" : ", ")
                    .append("\"f:")
                    .append(resource)
                    .append("\": {}");
        }
        return "\"managedFields\": [{\"manager\": \"kubectl\", \"operation\": \"Update\", \"fieldsV1\": {\"f:spec\":"
                + " {\"f:containers\": {\"k:{\\\"name\\\":\\\"main\\\"}\": {\"f:resources\": {\"f:limits\": {"
                + fields + "}}}}}}}]";
    }

    private static String quantities(String... counts) {
        return String.join(", ", counts);
    }

    private static String count(String resource, int count) {
        return "\"" + resource + "\": \"" + count + "\"";
    }

    private static List<String> steps(Verdict.Allowed verdict) {
        return verdict.patch().stream().map(SecondLookReviewTest::step).toList();
    }

    private static String step(PatchOperation operation) {
        return operation.path().lastKey()
                + switch (operation) {
                    case PatchOperation.Remove _ -> " removed";
                    case PatchOperation.Add(var _, PatchOperation.Text(String text)) -> "=" + text;
                    case PatchOperation.Replace(var _, PatchOperation.Text(String text)) -> "=" + text;
                    default -> " written";
                };
    }

    @Test
    void whatComesBackAfterTheAnnotationWasRemovedIsNotAddedToWhatWasGiven() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {}, " + authored(ONE_G), quantities(count(ONE_G, 1), count(TWO_G, 1)), TWO_G_ONLY);

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.KEPT);
        assertThat(steps(verdict))
                .containsExactly(TWO_G + " removed", TWO_G + " removed", "gpu-webhook.k8s.io/fallback-mode=keep");
        assertThat(verdict.causes()).hasAtLeastOneElementOfType(DecisionCause.WrittenBack.class);
    }

    @Test
    void aStampProvesThatSluiceHasDecidedBefore() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {\"gpu-webhook.k8s.io/decision\": \"s\"}, " + authored(ONE_G),
                quantities(count(ONE_G, 1), count(TWO_G, 1)),
                BOTH);

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNCHANGED);
        assertThat(steps(verdict)).containsExactly(TWO_G + " removed", TWO_G + " removed");
    }

    @Test
    void anAnnotationThatAnotherWebhookHasOverwrittenCountsAsRemoved() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {\"gpu-webhook.k8s.io/fallback\": \"none\"}, " + authored(ONE_G),
                quantities(count(ONE_G, 1), count(TWO_G, 1)),
                TWO_G_ONLY);

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.KEPT);
    }

    @Test
    void ofSeveralReplacedResourcesOnlyTheOneThatCameBackIsTakenAway() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {}, " + authored(ONE_G, "nvidia.com/mig-3g.40gb"),
                quantities(count(ONE_G, 1), count(TWO_G, 2)),
                TWO_G_ONLY);

        assertThat(steps(verdict)).contains(TWO_G + "=1").doesNotContain(ONE_G + "=2");
    }

    @Test
    void whoeverAsksForBothResourcesGetsBothQuantities() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {}, " + authored(ONE_G, TWO_G),
                quantities(count(ONE_G, 1), count(TWO_G, 1)),
                TWO_G_ONLY);

        assertThat(steps(verdict)).contains(TWO_G + "=2");
    }

    @Test
    void aDefaultOfALimitRangeIsNotTakenForAChangeOfSluice() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {\"kubernetes.io/limit-ranger\": \"LimitRanger plugin set: " + TWO_G
                        + " limit for container main\"}, " + authored(ONE_G),
                quantities(count(ONE_G, 1), count(TWO_G, 1)),
                TWO_G_ONLY);

        assertThat(steps(verdict)).contains(TWO_G + "=2");
    }

    /** A webhook in front of Sluice had given the resource that Sluice gives, too. */
    @Test
    void whatAWebhookInFrontHadGivenIsToldFromWhatSluiceHasGiven() throws Exception {
        Verdict.Allowed first =
                decided("\"annotations\": {}, " + authored(ONE_G), quantities(count(ONE_G, 1), count(TWO_G, 1)), APART);
        assertThat(steps(first))
                .contains(
                        TWO_G + "=2",
                        "gpu-webhook.k8s.io/fallback=1g.10gb->2g.20gb",
                        "gpu-webhook.k8s.io/asked=main 1g.10gb=1 2g.20gb=1");

        Verdict.Allowed second = decided(
                "\"annotations\": {" + FALLBACK + ", " + ASKED + "}, " + authored(ONE_G), count(TWO_G, 2), TOGETHER);
        assertThat(steps(second))
                .contains(
                        ONE_G + "=1",
                        TWO_G + "=1",
                        "gpu-webhook.k8s.io/fallback removed",
                        "gpu-webhook.k8s.io/asked removed");
    }

    /** A webhook in front of Sluice had given a GPU to a container whose author asked for none. */
    @Test
    void aGpuThatAWebhookAloneHadGivenIsGivenBack() throws Exception {
        String asked = "gpu-webhook.k8s.io/asked";
        for (String author : List.of(authored("cpu"), authored("cpu") + ", \"x\": {\"f:" + ONE_G + "\": {}}")) {
            Verdict.Allowed first = decided("\"annotations\": {}, " + author, count(ONE_G, 1), TWO_G_ONLY);
            assertThat(steps(first))
                    .contains(TWO_G + "=1", "gpu-webhook.k8s.io/fallback=1g.10gb->2g.20gb", asked + "=main 1g.10gb=1");

            String annotations = "\"annotations\": {" + FALLBACK + ", \"" + asked + "\": \"main 1g.10gb=1\"}, ";
            Verdict.Allowed second = decided(annotations + author, count(TWO_G, 1), BOTH);
            assertThat(steps(second))
                    .contains(
                            ONE_G + "=1",
                            TWO_G + " removed",
                            "gpu-webhook.k8s.io/fallback removed",
                            asked + " removed");
            assertThat(second.causes()).hasAtLeastOneElementOfType(DecisionCause.TakenBack.class);

            assertThat(steps(decided(annotations + author, count(TWO_G, 1), TWO_G_ONLY)))
                    .isEmpty();
        }
    }

    /** managedFields say that the author asked for the GPU, so the annotation would say nothing new. */
    @Test
    void whatTheAuthorAskedForNeedsNoFurtherAnnotation() throws Exception {
        assertThat(steps(decided("\"annotations\": {}, " + authored(ONE_G), count(ONE_G, 1), TWO_G_ONLY)))
                .contains("gpu-webhook.k8s.io/fallback=1g.10gb->2g.20gb")
                .noneMatch(step -> step.startsWith("gpu-webhook.k8s.io/asked"));
    }

    /**
     * Nobody can tell whether the author asked for nothing, or whether the review does not say what the author asked.
     */
    @Test
    void managedFieldsWithoutAnyRequestNeedNoFurtherAnnotation() throws Exception {
        assertThat(steps(decided("\"annotations\": {}, " + authored(), count(ONE_G, 1), TWO_G_ONLY)))
                .contains("gpu-webhook.k8s.io/fallback=1g.10gb->2g.20gb")
                .noneMatch(step -> step.startsWith("gpu-webhook.k8s.io/asked"));
    }

    /** A selector of nodes may have the name of the resource. */
    @Test
    void aNodeSelectorIsNoRequest() throws Exception {
        String selecting = authored("cpu")
                .replace("{\"f:containers\"", "{\"f:nodeSelector\": {\"f:" + ONE_G + "\": {}}," + " \"f:containers\"");
        for (String author : List.of(
                selecting,
                authored("cpu").replace("}}}}}}}]", "}}}}}, \"f:nodeSelector\":{\"f:" + ONE_G + "\":{}}}}]"))) {
            assertThat(steps(decided("\"annotations\": {}, " + author, count(ONE_G, 1), TWO_G_ONLY)))
                    .as(author)
                    .contains("gpu-webhook.k8s.io/asked=main 1g.10gb=1");
        }
    }

    /**
     * The author of this container asked for what another container was given, and a webhook adds what was replaced.
     */
    @Test
    void whatAnAuthorAskedForIsNotTakenForWhatSluiceGave() throws Exception {
        Verdict.Allowed verdict = decided(
                "\"annotations\": {" + FALLBACK + "}, " + authored(TWO_G),
                quantities(count(ONE_G, 1), count(TWO_G, 1)),
                TOGETHER);
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNCHANGED);
        assertThat(steps(verdict)).doesNotContain(TWO_G + " removed");
    }

    /** What others have given since counts in addition, and what they write back counts once. */
    @Test
    void whatIsAddedBetweenTheLooksIsCountedOnce() throws Exception {
        String metadata = "\"annotations\": {" + FALLBACK + ", " + ASKED + "}, " + authored(ONE_G);
        Verdict.Allowed added = decided(metadata, count(TWO_G, 3), TOGETHER);
        assertThat(steps(added)).contains(ONE_G + "=1", TWO_G + "=2");

        Verdict.Allowed back = decided(metadata, quantities(count(ONE_G, 1), count(TWO_G, 2)), TWO_G_ONLY);
        assertThat(back.outcome()).isEqualTo(Verdict.Outcome.KEPT);
        assertThat(steps(back)).contains(TWO_G + "=1").doesNotContain(ONE_G + " removed");
    }

    @Test
    void anOriginalRequestThatTheAuthorWroteMeansNothing() throws Exception {
        String byAuthor = authored(ONE_G)
                .replace(
                        "\"fieldsV1\": {",
                        "\"fieldsV1\": {\"f:metadata\": {\"f:annotations\": {\"f:gpu-webhook.k8s.io/asked\": {}}}, ");
        Verdict.Allowed verdict =
                decided("\"annotations\": {" + FALLBACK + ", " + ASKED + "}, " + byAuthor, count(TWO_G, 1), BOTH);

        assertThat(steps(verdict)).contains(ONE_G + "=1", TWO_G + " removed");
    }

    @Test
    void anOriginalRequestThatIsNotFromSluiceMeansNothing() throws Exception {
        for (String text : List.of("", "main", "main 1g.10gb=x", "main 1g.10gb=1,", "x".repeat(5_000))) {
            Verdict.Allowed verdict = decided(
                    "\"annotations\": {" + FALLBACK + ", \"gpu-webhook.k8s.io/asked\": \"" + text + "\"}, "
                            + authored(ONE_G),
                    count(TWO_G, 1),
                    BOTH);

            assertThat(steps(verdict)).as(text).contains(ONE_G + "=1", TWO_G + " removed");
        }
    }

    @Test
    void theOrderOfTheMetadataDoesNotMatter() throws Exception {
        String annotations = "\"annotations\": {" + FALLBACK + "}";
        for (String metadata : List.of(annotations + ", " + authored(ONE_G), authored(ONE_G) + ", " + annotations)) {
            Verdict.Allowed verdict = decided(metadata, count(TWO_G, 1), BOTH);

            assertThat(steps(verdict)).as(metadata).contains(ONE_G + "=1", TWO_G + " removed");
            assertThat(verdict.causes()).hasAtLeastOneElementOfType(DecisionCause.TakenBack.class);
        }
    }

    @Test
    void theOrderDoesNotMatterInALargeReviewEither() throws Exception {
        String large = "\"labels\": {\"a\": \"" + "x".repeat(ReviewDecoder.MOST_AT_ONCE) + "\"}, ";
        Verdict.Allowed verdict =
                decided(large + authored(ONE_G) + ", \"annotations\": {" + FALLBACK + "}", count(TWO_G, 1), BOTH);

        assertThat(steps(verdict)).contains(ONE_G + "=1");
    }
}
