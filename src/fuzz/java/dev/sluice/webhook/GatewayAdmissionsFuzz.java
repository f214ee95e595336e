package dev.sluice.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.Decider;
import dev.sluice.admission.UnreadablePodDecision;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.PodGenes;
import dev.sluice.fuzz.Trees;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.webhook.intake.BodyBytes;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import dev.sluice.webhook.intake.MemoryBudget;
import dev.sluice.webhook.intake.WholeBody;
import io.fabric8.zjsonpatch.JsonPatch;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * From bytes to the answer: it is always one, it has the review's own uid, no fault of ours is in it, its patch changes
 * nothing but resources and annotations, and a pod that was changed is not changed again.
 */
public final class GatewayAdmissionsFuzz {

    /** Bytes that begin below the blank are genes of a pod; all others are a body. */
    private static final int BLANK = ' ';

    private static final ClusterSnapshot CLUSTER = cluster();

    private static final GatewayAdmissions ADMISSIONS = new GatewayAdmissions(
            GatewayAdmissionsFuzz::decide,
            (review, _) -> Future.failedFuture("nothing is reserved, so no review is forwarded: " + review.uid()),
            new NoFaults());

    private static final MemoryBudget BUDGET = MemoryBudget.of(1L << 40, 1 << 30, new ClientAbuseCounter());

    private GatewayAdmissionsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        boolean genes = input.length > 0 && input[0] >= 0 && input[0] < BLANK;
        byte[] body = genes ? review(new PodGenes(input).pod()) : input;
        Frugal.run(input.length, () -> judge(body));
    }

    private static byte[] review(JsonNode pod) {
        ObjectNode review =
                Trees.JSON.createObjectNode().put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        ObjectNode request = review.putObject("request").put("uid", "u").put("operation", "CREATE");
        request.put("namespace", "team-a").set("object", pod);
        request.putObject("kind").put("group", "").put("version", "v1").put("kind", "Pod");
        return review.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ClusterSnapshot cluster() {
        Amounts devices = Amounts.of(Map.of(
                ResourceName.NVIDIA_GPU, Quantity.of(8), new ResourceName("nvidia.com/mig-1g.10gb"), Quantity.of(7)));
        Node node = new Node("gpu-1", Map.of("zone", "a"), List.of(), /* unschedulable= */ false, devices, devices, 0);
        PlacementNodes ledger = new PlacementNodes();
        var _ = ledger.apply(new NodeEvent.NodesListed(List.of(node), 0));
        return ledger.snapshot();
    }

    /** As {@link GatewayDecisionRouter} has it where nothing is reserved. */
    private static Future<Verdict> decide(AdmissionReview review, NamespacePolicy here, GatewayDecisionInputs moment) {
        return Future.succeededFuture(
                switch (review.object()) {
                    case PodObject.ReadPod(PodRequest pod) -> Decider.decide(pod, here, moment.cluster());
                    case PodObject.Absent _ -> UnreadablePodDecision.absent(Policy.DEFAULT);
                    case PodObject.UnreadableObject(String problem) ->
                        UnreadablePodDecision.malformed(problem, Policy.DEFAULT);
                });
    }

    private static IntakeHttpAnswer ask(byte[] body) {
        MemoryBudget.Hold hold = BUDGET.begin(() -> {});
        WholeBody whole = new WholeBody(BodyBytes.of(body), hold);
        holds(hold.grow(body.length), "there is no memory for one body");
        Future<GatewayReviewAnswer> answer = ADMISSIONS.answer(
                whole,
                new GatewayDecisionInputs(
                        CLUSTER,
                        FreshnessMessage.unproved(FreshnessMessage.NO_LIMIT),
                        ActivePolicy.DEFAULT,
                        BusRequestDeadline.in(Duration.ofMinutes(1))));
        hold.release();
        if (!answer.succeeded()) {
            throw new AssertionError("no answer", answer.cause());
        }
        return answer.result().http();
    }

    private static void judge(byte[] body) throws IOException {
        IntakeHttpAnswer answer = ask(body);
        if (answer.status() == 400) {
            return;
        }
        JsonNode asked = Trees.read(body).orElseThrow(() -> new AssertionError("a tree refuses what was answered"));
        JsonNode response = Trees.JSON.readTree(answer.body().getBytes()).path("response");
        holds(answer.status() == 200, "the status is " + answer.status());
        holds(response.path("uid").equals(asked.path("request").path("uid")), "the uid is another");
        if (response.has("patch")) {
            JsonNode pod = asked.path("request").path("object");
            JsonNode patched =
                    JsonPatch.apply(Trees.JSON.readTree(response.path("patch").binaryValue()), pod.deepCopy());
            holds(bare(patched).equals(bare(pod)), "the patch changes something else: " + response);
            ((ObjectNode) asked.path("request")).set("object", patched);
            JsonNode again = Trees.JSON
                    .readTree(ask(asked.toString().getBytes(StandardCharsets.UTF_8))
                            .body()
                            .getBytes())
                    .path("response");
            holds(!again.has("patch") && again.path("allowed").asBoolean(), "it is changed again: " + again);
        }
    }

    /** The pod without what Sluice may change. */
    private static JsonNode bare(JsonNode pod) {
        ObjectNode bare = pod.deepCopy();
        if (bare.path("metadata") instanceof ObjectNode metadata) {
            var _ = metadata.remove("annotations");
        }
        for (String list : List.of("containers", "initContainers")) {
            if (bare.path("spec").path(list) instanceof ArrayNode containers) {
                containers.forEach(container -> {
                    if (container instanceof ObjectNode object) {
                        var _ = object.remove("resources");
                    }
                });
            }
        }
        return bare.path("metadata").isEmpty() ? bare.without("metadata") : bare;
    }

    private static void holds(boolean law, String sentence) {
        if (!law) {
            throw new AssertionError(sentence);
        }
    }

    /** A fault is answered well by the gateway, and is one nevertheless. */
    private static final class NoFaults implements ReviewObserver {
        @Override
        public void passed(AdmissionReview review) {}

        @Override
        public void refused(int status, String sentence) {
            holds(!sentence.isBlank() && sentence.lines().count() == 1, "no plain sentence: " + sentence);
        }

        @Override
        public void failed(String uid, Throwable fault) {
            throw new AssertionError("a fault of ours", fault);
        }
    }
}
