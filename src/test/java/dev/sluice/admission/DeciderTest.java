package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.patch.JsonTree;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.RandomPod;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeciderTest {

    private static final int TRIPLES_PER_SEED = 520;

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    static LongStream fewSeeds() {
        return LongStream.range(100, 110);
    }

    private record Triple(PodRequest pod, Policy policy, List<Node> nodes, ClusterSnapshot cluster) {

        Verdict verdict() {
            return Decider.decide(pod, NamespacePolicy.of(policy), cluster);
        }
    }

    private static List<Triple> triples(long seed) {
        Random random = new Random(seed);
        RandomPod pods = new RandomPod(random);
        List<Triple> triples = new ArrayList<>();
        while (triples.size() < TRIPLES_PER_SEED) {
            List<Node> nodes = new RandomCluster(random).nodes(random.nextInt(8) == 0 ? 70 : random.nextInt(7));
            ClusterSnapshot cluster = RandomCluster.snapshot(nodes);
            for (int i = 0; i < 4; i++) {
                triples.add(new Triple(pods.pod(), pods.policy(), nodes, cluster));
            }
        }
        return triples;
    }

    private static String told(Verdict verdict) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> "NoGpu";
            case Verdict.Allowed allowed ->
                allowed.outcome() + " " + allowed.reason().word() + " " + allowed.moves();
            case Verdict.Denied denied -> "Denied " + denied.reason().word();
        };
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decidesAsTheContractSays(long seed) {
        for (Triple triple : triples(seed)) {
            String expected = new DeciderModel(triple.pod(), triple.policy(), triple.nodes()).decide();
            assertThat(told(triple.verdict())).as("%s", triple).isEqualTo(expected);
            assertThat(triple.verdict()).isEqualTo(triple.verdict());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void thePatchMakesThePodOfTheContractAndTouchesNothingElse(long seed) {
        for (Triple triple : triples(seed)) {
            if (!(triple.verdict() instanceof Verdict.Allowed allowed)) {
                continue;
            }
            Map<String, Object> tree = tree(triple.pod());
            JsonTree.apply(tree, allowed.patch());
            assertThat(counted(tree)).as("%s", triple).isEqualTo(counted(expected(triple, allowed)));
        }
    }

    /** Devices by their number, for {@code 1000m} is as good as {@code 1}; everything else by its text. */
    private static Object counted(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(DeciderTest::counted).toList();
        }
        if (!(value instanceof Map<?, ?>)) {
            return value;
        }
        Map<String, Object> counted = new TreeMap<>();
        JsonTree.object(value).forEach((key, member) -> counted.put(key, counted(key, member)));
        return counted;
    }

    private static Object counted(String key, Object member) {
        return member instanceof String text && RandomCluster.DEVICES.contains(new ResourceName(key))
                ? Quantity.parse(text).orElseThrow().value()
                : counted(member);
    }

    private static Map<String, Object> expected(Triple triple, Verdict.Allowed allowed) {
        Map<String, Object> expected = tree(triple.pod());
        if (allowed.outcome() == Verdict.Outcome.UNTOUCHED && allowed.reason() != Reason.TOO_MANY_COMBINATIONS) {
            return expected;
        }
        DeciderModel model = new DeciderModel(triple.pod(), triple.policy(), triple.nodes());
        for (ContainerRequest container : triple.pod().containers()) {
            Map<ResourceName, Quantity> limits = model.expectedLimits(container, allowed.moves());
            Map<String, Object> resources = resources(expected, container);
            put(resources, "limits", container.limits(), limits);
            @Nullable Map<ResourceName, Quantity> requests = container.requests();
            if (requests != null) {
                put(resources, "requests", requests, expectedRequests(triple, allowed, requests, limits));
            }
        }
        if (!allowed.moves().isEmpty()) {
            Map<String, Object> metadata =
                    JsonTree.object(expected.computeIfAbsent("metadata", _ -> new LinkedHashMap<String, Object>()));
            JsonTree.object(metadata.computeIfAbsent("annotations", _ -> new LinkedHashMap<String, Object>()))
                    .put(PodRequestAnnotations.FALLBACK, PodRequestReplacement.annotation(allowed.moves()));
        }
        return expected;
    }

    /** The keys that requests have after the moves, each as large as its limit; cpu and zeros as they were. */
    private static Map<ResourceName, Quantity> expectedRequests(
            Triple triple,
            Verdict.Allowed allowed,
            Map<ResourceName, Quantity> before,
            Map<ResourceName, Quantity> limits) {
        Map<ResourceName, Quantity> after = new HashMap<>(before);
        Set<ResourceName> moved = new TreeSet<>();
        allowed.moves().stream()
                .filter(move -> before.getOrDefault(move.asked(), Quantity.ZERO).value() != 0)
                .forEach(move -> moved.add(move.asked()));
        moved.forEach(after::remove);
        allowed.moves().stream()
                .filter(move -> moved.contains(move.asked()))
                .forEach(move -> after.put(move.given(), Quantity.ZERO));
        after.replaceAll((name, quantity) ->
                triple.policy().chains().isGpu(name) ? limits.getOrDefault(name, quantity) : quantity);
        return after;
    }

    /** A key whose amount did not change keeps its text. */
    private static void put(
            Map<String, Object> resources,
            String key,
            @Nullable Map<ResourceName, Quantity> before,
            Map<ResourceName, Quantity> after) {
        if (before == null && after.isEmpty()) {
            return;
        }
        Map<String, Object> texts = new LinkedHashMap<>();
        after.forEach((name, quantity) -> {
            Quantity old = before == null ? null : before.get(name);
            texts.put(name.value(), old != null && old.equals(quantity) ? old.text() : quantity.text());
        });
        resources.put(key, texts);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void decidingThePatchedPodAgainChangesNothing(long seed) {
        for (Triple triple : triples(seed)) {
            if (!(triple.verdict() instanceof Verdict.Allowed first)) {
                continue;
            }
            PodRequest patched = patched(triple.pod(), first.patch());
            Verdict second = Decider.decide(patched, NamespacePolicy.of(triple.policy()), triple.cluster());
            assertThat(second).as("%s", triple).isInstanceOf(Verdict.Allowed.class);
            if (second instanceof Verdict.Allowed again) {
                assertThat(again.patch()).as("%s", triple).isEmpty();
                assertThat(again.outcome())
                        .as("%s", triple)
                        .isEqualTo(
                                first.outcome() == Verdict.Outcome.CHANGED
                                        ? Verdict.Outcome.UNCHANGED
                                        : first.outcome());
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void warningsAreOneShortLineAndDenialsAreOneWholeLine(long seed) {
        for (Triple triple : triples(seed)) {
            VerdictTexts words = Wording.of(triple.verdict());
            List<String> lines = new ArrayList<>(words.warnings());
            assertThat(lines).allSatisfy(line -> assertThat(line.length()).isBetween(20, 240));
            if (triple.verdict() instanceof Verdict.Denied) {
                assertThat(words.message()).hasSizeBetween(20, 1_000).doesNotEndWith("...");
                lines.add(words.message());
            }
            assertThat(lines).allSatisfy(line -> assertThat(line.chars()).noneMatch(Character::isISOControl));
        }
    }

    /** A pod as the API server has it, with things around the resources that nobody may touch. */
    static Map<String, Object> tree(PodRequest pod) {
        Map<String, Object> tree = new LinkedHashMap<>(Map.of("kind", "Pod"));
        if (pod.annotations().parent() != PodRequestAnnotations.Parent.NO_METADATA) {
            Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", "p"));
            if (pod.annotations().parent() == PodRequestAnnotations.Parent.ANNOTATIONS) {
                Map<String, Object> annotations = new LinkedHashMap<>(Map.of("a/b~c", "mine"));
                @Nullable String fallback = pod.annotations().values().get(PodRequestAnnotations.FALLBACK);
                if (fallback != null) {
                    annotations.put(PodRequestAnnotations.FALLBACK, fallback);
                }
                metadata.put("annotations", annotations);
            }
            tree.put("metadata", metadata);
        }
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("containers", new ArrayList<Object>());
        spec.put("initContainers", new ArrayList<Object>());
        tree.put("spec", spec);
        for (ContainerRequest container : pod.containers()) {
            Map<String, Object> resources = new LinkedHashMap<>();
            texts(resources, "limits", container.limits());
            texts(resources, "requests", container.requests());
            containers(tree, container)
                    .add(new LinkedHashMap<>(Map.of("name", container.name(), "image", "i", "resources", resources)));
        }
        return tree;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> containers(Map<String, Object> tree, ContainerRequest container) {
        String key = container.kind() == PodContainerKind.MAIN ? "containers" : "initContainers";
        return (List<Object>) JsonTree.object(tree.getOrDefault("spec", "")).getOrDefault(key, "");
    }

    private static Map<String, Object> resources(Map<String, Object> tree, ContainerRequest container) {
        Object one = containers(tree, container).get(container.index());
        return JsonTree.object(JsonTree.object(one).getOrDefault("resources", ""));
    }

    private static void texts(
            Map<String, Object> resources, String key, @Nullable Map<ResourceName, Quantity> quantities) {
        if (quantities != null) {
            Map<String, Object> texts = new TreeMap<>();
            quantities.forEach((name, quantity) -> texts.put(name.value(), quantity.text()));
            resources.put(key, texts);
        }
    }

    private static PodRequest patched(PodRequest pod, List<PatchOperation> patch) {
        Map<String, Object> tree = tree(pod);
        JsonTree.apply(tree, patch);
        List<ContainerRequest> containers = pod.containers().stream()
                .map(container -> new ContainerRequest(
                        container.kind(),
                        container.index(),
                        container.name(),
                        quantities(resources(tree, container).get("limits")),
                        quantities(resources(tree, container).get("requests"))))
                .toList();
        return new PodRequest(
                containers, pod.podLevel(), pod.overhead(), /* gated= */ false, pod.constraints(), pod.annotations());
    }

    private static @Nullable Map<ResourceName, Quantity> quantities(@Nullable Object texts) {
        if (texts == null) {
            return null;
        }
        Map<ResourceName, Quantity> quantities = new HashMap<>();
        JsonTree.object(texts)
                .forEach((name, text) -> quantities.put(
                        new ResourceName(name), Quantity.parse(text.toString()).orElseThrow()));
        return quantities;
    }

    @Test
    void theTriplesReachEveryOutcome() {
        Set<String> seen = new TreeSet<>();
        seeds().limit(12)
                .forEach(seed -> triples(seed)
                        .forEach(triple -> seen.add(told(triple.verdict()).replaceAll(" \\[.*", ""))));
        assertThat(seen)
                .contains(
                        "CHANGED NotOffered",
                        "CHANGED Offered",
                        "Denied NoGpuInCluster",
                        "Denied NotOffered",
                        "KEPT KeptAsWritten",
                        "KEPT NoGpuInCluster",
                        "NoGpu",
                        "UNCHANGED Offered",
                        "UNTOUCHED InvalidQuantity",
                        "UNTOUCHED TooManyCombinations");
    }
}
