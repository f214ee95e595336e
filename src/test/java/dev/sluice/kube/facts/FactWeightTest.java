package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.HostileText;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The estimate of the memory of facts is near to what they take of the heap, as the garbage collector says. */
@Isolated("nobody else may take or free memory of the heap meanwhile")
class FactWeightTest {

    private static final HostileObjects OBJECTS = new HostileObjects();

    /** Matches the paths of texts that a reader compares with words that it knows, or reads as a time or a number. */
    private static final Pattern SPARED = Pattern.compile(
            ".*/(apiVersion|kind|namespace|operator|effect|phase|status|type|[a-zA-Z]*Time|[a-zA-Z]*Timestamp)"
                    + "|.*/(requests|limits|hard|used|capacity|allocatable)/.*|/spec/replicas");

    /** So many bytes of JSON, and so many values of a kind, that what others do meanwhile does not matter. */
    private static final int BYTES_OF_JSON = 6 << 20;

    private static final int VALUES = 4_000;

    @TempDir
    private Path directory;

    private static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    private static String text(int number, int at) {
        return "text-" + number + "-" + at;
    }

    private static Map<String, String> entries(int number) {
        return IntStream.range(0, 50)
                .boxed()
                .collect(Collectors.toMap(at -> text(number, at), at -> "v" + at + number));
    }

    private static List<String> texts(int number) {
        return IntStream.range(0, 50).mapToObj(at -> text(number, at)).toList();
    }

    private static NodeRequirement requirement(int number) {
        return new NodeRequirement(text(number, -1), NodeRequirement.Operator.IN, texts(number));
    }

    private static Amounts amounts(int number) {
        TreeMap<ResourceName, Long> amounts = new TreeMap<>();
        texts(number).forEach(name -> amounts.put(new ResourceName("example.com/" + name), (long) number));
        return Amounts.ofUnits(amounts);
    }

    record Kind(String name, IntFunction<Object> made) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("text", number -> "x".repeat(1_000) + number),
                new Kind("text outside of Latin-1", number -> "x".repeat(1_000) + "ж" + number),
                new Kind("immutable map", number -> Map.copyOf(entries(number))),
                new Kind("hash map", number -> Collections.unmodifiableMap(new HashMap<>(entries(number)))),
                new Kind("list", FactWeightTest::texts),
                new Kind("set", number -> Set.copyOf(texts(number))),
                new Kind("optional", number -> Optional.of("x".repeat(200) + number)),
                new Kind("time", number -> List.of(Instant.ofEpochSecond(number), Instant.ofEpochSecond(number, 7))),
                new Kind(
                        "nested record",
                        number -> new PodFacts.Message(
                                text(number, 1), text(number, 2).repeat(10), Instant.ofEpochSecond(number))),
                new Kind(
                        "quantity",
                        number -> Quantity.parse(1_000_000 + number + "Mi").orElseThrow()),
                new Kind(
                        "long quantity",
                        number -> Quantity.parse("0".repeat(200) + (1_000_000 + number))
                                .orElseThrow()),
                new Kind("amounts", FactWeightTest::amounts),
                new Kind("requirement", FactWeightTest::requirement),
                new Kind("selector", number -> new NodeConstraints(null, entries(number), null, List.of())),
                new Kind(
                        "terms",
                        number -> new NodeConstraints(
                                null,
                                Map.of(),
                                List.of(new NodeSelectorTerm(List.of(requirement(number)), List.of())),
                                List.of())));
    }

    private static double ratio(IntFunction<Object> made) {
        Object[] kept = new Object[VALUES];
        try {
            long before = used();
            for (int number = 0; number < kept.length; number++) {
                kept[number] = made.apply(number);
            }
            long real = used() - before;
            return (double) Stream.of(kept).mapToLong(FactWeight::of).sum() / real;
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isNearToWhatAValueOfEachKindTakes(Kind kind) {
        double ratio = ratio(kind.made());

        assertThat(ratio).isBetween(0.8, 3.0);
    }

    private Stream<Object> read(ArrayNode items) throws Exception {
        Path file = HostileObjects.write(directory.resolve("cluster.json"), items);
        ClusterFacts facts = FactsFiles.read(List.of(file), new KubectlFileLimits(1L << 40, 1L << 40), (_, _) -> {});
        return Stream.of(
                        facts.nodes(),
                        facts.pods(),
                        facts.events(),
                        facts.owners(),
                        facts.quotas(),
                        facts.dra().claims(),
                        facts.dra().classes(),
                        facts.webhooks(),
                        facts.queued())
                .flatMap(List::stream);
    }

    static Stream<ObjectNode> templates() {
        // The facts keep only the name and the time of a Lease, in a map of the cluster.
        return OBJECTS.all().stream()
                .filter(template -> ClusterFactKind.of(
                                template.path("kind").asText(),
                                template.path("apiVersion").asText())
                        .filter(kind -> kind != ClusterFactKind.LEASES)
                        .isPresent());
    }

    @ParameterizedTest
    @MethodSource("templates")
    void isNearToWhatTheFactsOfEachObjectTake(ObjectNode template) throws Exception {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        int texts = HostileText.paths(template, "", new TreeSet<>()).size();
        int size = template.toString().length() + 80 * texts;
        for (int number = 0; number < BYTES_OF_JSON / size; number++) {
            String end = number % 2 == 0 ? "x".repeat(80) : "ж".repeat(40);
            ObjectNode object = (ObjectNode) HostileText.appended(template, "", SPARED, end + number);
            if (number % 3 == 0) {
                HostileObjects.fillMaps(object, number);
            }
            items.add(object);
        }
        try {
            long before = used();
            List<Object> facts = read(items).toList();
            long real = used() - before;

            assertThat(facts).hasSize(items.size());
            long estimate = facts.stream().mapToLong(FactWeight::of).sum();
            // Nodes of one model share what they can give, so the estimate of nodes is larger than for other objects.
            assertThat((double) estimate / real).isBetween(0.8, 3.5);
        } finally {
            Reference.reachabilityFence(items);
        }
    }

    /** Only records are looked into. The value of another class is a new kind that needs a weight of its own. */
    @Test
    void noFactHasAValueOfAnotherKind() throws Exception {
        ArrayNode items = OBJECTS.others();
        OBJECTS.all().forEach(items::add);
        Set<String> kinds = new TreeSet<>();
        for (Object facts : read(items).toList()) {
            addKinds(facts, kinds);
        }

        assertThat(kinds)
                .containsExactly("Amounts", "Instant", "NodeConstraints", "NodeRequirement", "Quantity", "String");
    }

    private static void addKinds(@Nullable Object value, Set<String> kinds) throws ReflectiveOperationException {
        switch (value) {
            case null -> {}
            case Enum<?> _ -> {}
            case Map<?, ?> map -> {
                addKinds(map.keySet(), kinds);
                addKinds(map.values(), kinds);
            }
            case Collection<?> values -> {
                for (Object each : values) {
                    addKinds(each, kinds);
                }
            }
            case Optional<?> optional -> addKinds(optional.orElse(null), kinds);
            case Record whole -> {
                for (RecordComponent component : whole.getClass().getRecordComponents()) {
                    if (!component.getType().isPrimitive()) {
                        addKinds(component.getAccessor().invoke(whole), kinds);
                    }
                }
            }
            default -> kinds.add(value.getClass().getSimpleName());
        }
    }
}
