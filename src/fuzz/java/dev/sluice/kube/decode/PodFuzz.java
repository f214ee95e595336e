package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.PodGenes;
import dev.sluice.fuzz.Trees;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pod under review and the pod that exists ask the same, and each container asks what a plain tree says. A pod that
 * were counted otherwise than it is decided would be given what another one has.
 */
public final class PodFuzz {

    private static final ReviewDecoder REVIEWS = new ReviewDecoder();
    private static final PodStateDecoder STATES = new PodStateDecoder();

    private PodFuzz() {}

    public static void fuzzerTestOneInput(byte[] genes) {
        ObjectNode pod = new PodGenes(genes).pod();
        Frugal.run(genes.length, () -> {
            PodRequest asked = asked(pod);
            containersAsInTree(asked, pod);
            Amounts counted = counted(pod);
            if (!counted.equals(total(asked))) {
                throw new AssertionError("decided for " + total(asked) + ", counted as " + counted + ": " + pod);
            }
        });
    }

    private static PodRequest asked(ObjectNode pod) {
        ObjectNode review =
                Trees.JSON.createObjectNode().put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        review.putObject("request").put("uid", "u").set("object", pod);
        try {
            PodObject object = REVIEWS.decode(review.toString().getBytes(StandardCharsets.UTF_8))
                    .object();
            return switch (object) {
                case PodObject.ReadPod(PodRequest request) -> request;
                case PodObject.Absent _, PodObject.UnreadableObject _ ->
                    throw new AssertionError("a good pod was not read: " + object + ": " + pod);
            };
        } catch (NotAReviewException refused) {
            throw new AssertionError("a good review was refused: " + pod, refused);
        }
    }

    private static Amounts counted(ObjectNode pod) throws IOException {
        byte[] bytes = pod.toString().getBytes(StandardCharsets.UTF_8);
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(bytes))) {
            var _ = parser.nextToken();
            return switch (STATES.decode(parser)) {
                case ObjectDecodeResult.Found<Pod> found -> found.value().requests();
                case ObjectDecodeResult<Pod> other -> throw new AssertionError("a good pod was not counted: " + other);
            };
        }
    }

    /** What the scheduler would count. */
    private static Amounts total(PodRequest pod) {
        PodRequests<ExactAmounts> sums = PodRequests.exact();
        pod.containers().forEach(container -> sums.add(container.kind(), effective(container)));
        Amounts total = sums.total(pod.podLevel(), pod.overhead()).rounded();
        return total.only(name -> name.isCounted() && total.get(name) != 0).plus(Amounts.of(ResourceName.PODS, 1));
    }

    private static ExactAmounts effective(ContainerRequest container) {
        return ExactAmounts.of(container.limits()).replacedBy(ExactAmounts.of(container.requests()));
    }

    private static void containersAsInTree(PodRequest pod, JsonNode tree) {
        for (ContainerRequest container : pod.containers()) {
            String list = container.kind() == PodContainerKind.MAIN ? "containers" : "initContainers";
            JsonNode written =
                    tree.path("spec").path(list).path(container.index()).path("resources");
            same(container.limits(), written.path("limits"), tree);
            same(container.requests(), written.path("requests"), tree);
        }
        long written = mentioning(tree.path("spec").path("containers"))
                + mentioning(tree.path("spec").path("initContainers"));
        if (pod.containers().size() != written) {
            throw new AssertionError(pod.containers().size() + " containers were read: " + tree);
        }
    }

    /** A container that mentions no resource changes no decision, and is not kept. */
    private static long mentioning(JsonNode containers) {
        return containers
                .valueStream()
                .map(container -> container.path("resources"))
                .filter(resources -> !resources.path("limits").isEmpty()
                        || !resources.path("requests").isEmpty())
                .count();
    }

    private static void same(@Nullable Map<ResourceName, Quantity> read, JsonNode written, JsonNode tree) {
        Map<ResourceName, Quantity> expected = new HashMap<>();
        written.properties()
                .forEach(entry -> expected.put(
                        new ResourceName(entry.getKey()),
                        Quantity.parse(entry.getValue().textValue()).orElseThrow()));
        if (!expected.equals(read == null ? Map.of() : read)) {
            throw new AssertionError(read + " was read for " + written + ": " + tree);
        }
    }
}
