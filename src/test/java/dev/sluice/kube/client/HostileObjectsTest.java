package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.ClusterDecoder;
import dev.sluice.kube.decode.DecodedValuePool;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.PodStateDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that the API server stores, and that nobody in their right mind writes: lists and watches must take them. */
class HostileObjectsTest {

    private static final String GPUS = "\"nvidia.com/gpu\":\"8\"";

    private final PodStateDecoder decoder = new PodStateDecoder();

    private static String pod(String metadata, String spec) {
        return "{\"metadata\":{\"name\":\"p\",\"namespace\":\"t\",\"resourceVersion\":\"7\"" + metadata + "},\"spec\":{"
                + spec + "}}";
    }

    private static String container(String limits, String requests) {
        return "\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{" + limits + "},\"requests\":{" + requests
                + "}}}]";
    }

    private static String many(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(","));
    }

    private static InputStream bytes(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private Pod read(String json) throws IOException {
        try (JsonParser parser = JsonParsers.json(bytes(json))) {
            parser.nextToken();
            return switch (decoder.decode(parser)) {
                case ObjectDecodeResult.Found<Pod> found -> found.value();
                case ObjectDecodeResult<Pod> other -> throw new AssertionError(other);
            };
        }
    }

    static Stream<Arguments> whatNobodyReads() {
        String name = "V".repeat(60_000);
        return Stream.of(
                argumentSet("a name of 60,000 letters", managed("\"k:{\\\"name\\\":\\\"" + name + "\\\"}\":{}"), ""),
                argumentSet("a name of 3 MB", managed("\"f:" + "x".repeat(3_000_000) + "\":{}"), ""),
                argumentSet(
                        "an annotation of 256 KiB", ",\"annotations\":{\"a\":\"" + "x".repeat(256 * 1024) + "\"}", ""),
                argumentSet("a value of 1.5 MB", "", ",\"env\":[{\"value\":\"" + "x".repeat(1_500_000) + "\"}]"),
                argumentSet("a value of escapes", "", ",\"args\":[\"" + "\\u00e9\\n".repeat(150_000) + "\"]"),
                argumentSet("a value of surrogates", "", ",\"args\":[\"" + "😀".repeat(300_000) + "\"]"),
                argumentSet(
                        "9,000 levels", managed("\"f:a\":" + "{\"f:a\":".repeat(9_000) + "1" + "}".repeat(9_000)), ""),
                argumentSet("200,000 labels", ",\"labels\":{" + many(200_000, i -> "\"l" + i + "\":\"\"") + "}", ""),
                argumentSet("100,000 fields", "", "," + many(100_000, i -> "\"f" + i + "\":[{}]")));
    }

    private static String managed(String fields) {
        return ",\"managedFields\":[{\"fieldsV1\":{" + fields + "}}]";
    }

    @ParameterizedTest
    @MethodSource("whatNobodyReads")
    void readsAWatchWhateverNobodyReads(String metadata, String spec) throws Exception {
        String hostile = pod(metadata, container(GPUS, GPUS) + spec);
        String plain = pod("", container(GPUS, GPUS));
        String event = "{\"type\":\"ADDED\",\"object\":";
        JsonParser parser = JsonParsers.json(bytes(event + hostile + "}\n" + event + plain + "}\n"));
        ApiServerWatchEventDecoder<Pod> events = new ApiServerWatchEventDecoder<>(decoder);

        Optional<ApiServerWatchEvent<Pod>> first = events.next(parser);

        assertThat(first).contains(new ApiServerWatchEvent.AddedOrModified<>(read(plain)));
        assertThat(events.next(parser)).isEqualTo(first);
        assertThat(events.next(parser)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("whatNobodyReads")
    void readsAListAndAFileWhateverNobodyReads(String metadata, String spec) throws Exception {
        String hostile = pod(metadata, container(GPUS, GPUS) + spec);
        String list = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":["
                + hostile + "," + hostile + "]}";
        Pod expected = read(pod("", container(GPUS, GPUS)));
        List<ObjectDecodeResult<Pod>> listed = new ArrayList<>();
        var _ = new ListDecoder<>(decoder).read(JsonParsers.json(bytes(list)), listed::add);
        List<ObjectDecodeResult<Pod>> inFile = new ArrayList<>();
        JsonParser file = JsonParsers.json(new StringReader(list));
        file.nextToken();
        var _ = new ClusterDecoder().decode(file, item -> inFile.add(item.asPod()));

        assertThat(listed).hasSize(2).containsOnly(new ObjectDecodeResult.Found<>("", expected));
        assertThat(inFile).hasSize(2).containsOnly(new ObjectDecodeResult.Found<>("Pod", expected));
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, 2_048, 200_000})
    void countsAPodExactlyBesideNamesOfWhichItAsksNothing(int names) throws Exception {
        String zeros = "," + many(names, i -> "\"a.b/x" + i + "\":\"0\"");

        Pod pod = read(pod("", container(GPUS + zeros, GPUS + zeros)));

        assertThat(pod.requests()).hasToString("{nvidia.com/gpu: 8, pods: 1}");
        assertThat(pod).isEqualTo(read(pod("", container(GPUS, GPUS))));
    }

    /** All of them have one hash code, which a naive table would search one by one. */
    @Test
    void countsAPodAlthoughItsNamesCollide() throws Exception {
        String zeros = "," + many(1 << 14, i -> "\"a/" + binary(i) + "\":0");
        String ones = "," + many(1 << 14, i -> "\"a/" + binary(i) + "\":1");

        assertThat(read(pod("", container(GPUS + zeros, GPUS + zeros))).requests())
                .hasToString("{nvidia.com/gpu: 8, pods: 1}");
        assertThat(read(pod("", container(GPUS + ones, GPUS + ones))).requests().get(ResourceName.NVIDIA_GPU))
                .isEqualTo(8);
    }

    private static String binary(int number) {
        return String.format("%14s", Integer.toBinaryString(number))
                .replace("0", "Aa")
                .replace("1", "BB")
                .replace(" ", "Aa");
    }

    /** A limit of 5 beside a request of 0 asks for nothing, and a limit of 0 beside a request of 5 for five. */
    @Test
    void knowsWhichOfManyZerosStandBesideSomething() throws Exception {
        String zeros = many(500, i -> "\"a.b/x" + i + "\":\"0\"");
        String before = zeros + ",\"a.b/here\":0";

        assertThat(read(pod("", container(before, zeros + ",\"a.b/here\":5"))).requests())
                .hasToString("{a.b/here: 5, pods: 1}");
        assertThat(read(pod("", container(zeros + ",\"a.b/here\":5", before))).requests())
                .hasToString("{pods: 1}");
    }

    /** The scheduler never places such a pod, but its author can name the node. */
    @Test
    void countsWhatNodesHaveOfAPodThatAsksForThousandsOfResources() throws Exception {
        String many = many(20_000, i -> "\"a.b/x" + i + "\":\"1\"");
        String real = ",\"nvidia.com/mig-1g.10gb\":\"2\",\"cpu\":\"3\"," + GPUS;

        Amounts requests = read(pod("", "\"nodeName\":\"n1\"," + container(many + real, many + real)))
                .requests();

        assertThat(requests.get(ResourceName.NVIDIA_GPU)).isEqualTo(8);
        assertThat(requests.get(new ResourceName("nvidia.com/mig-1g.10gb"))).isEqualTo(2);
        assertThat(requests.get(ResourceName.CPU)).isEqualTo(3_000);
        assertThat(requests.size()).isLessThan(100);
    }

    static Stream<Arguments> endless() {
        return Stream.of(
                argumentSet("300 digits", "9".repeat(300)),
                argumentSet("300 KB of digits", "9".repeat(300_000)),
                argumentSet("300 KB of decimals", "0." + "1".repeat(300_000)),
                argumentSet("an exponent beyond all sense", "1e2147483647"));
    }

    /** The API server stores them, so the GPUs beside them are real. */
    @ParameterizedTest
    @MethodSource("endless")
    void countsAPodWithAnEndlessQuantity(String quantity) throws Exception {
        String requests = "\"memory\":\"1Gi\"," + GPUS;
        String limits = "\"memory\":\"" + quantity + "\"," + GPUS;

        assertThat(read(pod("", container(limits, requests))).requests())
                .hasToString("{memory: 1073741824, nvidia.com/gpu: 8, pods: 1}");
    }

    private static String affinity(int values, String value) {
        return "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":"
                + "[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":["
                + many(values, _ -> "\"" + value + "\"") + "]}]}]}}},";
    }

    static Stream<Arguments> beyondAllMeasure() {
        return Stream.of(
                argumentSet("320,000 values", affinity(320_000, "a")),
                argumentSet("one value of 1 MB", affinity(1, "a".repeat(1_000_000))),
                argumentSet("100,000 tolerations", "\"tolerations\":[" + many(100_000, _ -> "{}") + "],"),
                argumentSet("a long toleration", "\"tolerations\":[{\"key\":\"" + "k".repeat(200_000) + "\"}],"),
                argumentSet("a large selector", "\"nodeSelector\":{" + many(3_000, i -> "\"k" + i + "\":\"\"") + "},"));
    }

    @ParameterizedTest
    @MethodSource("beyondAllMeasure")
    void keepsNothingOfConstraintsBeyondTheirLimit(String constraints) throws Exception {
        String waiting = pod("", constraints + container(GPUS, GPUS));
        Pod pod = read(waiting);

        assertThat(pod.place()).isEqualTo(new Place.UnknownPlace());
        assertThat(pod.requests()).hasToString("{nvidia.com/gpu: 8, pods: 1}");
        assertThat(read(waiting.replace("\"containers\"", "\"nodeName\":\"n1\",\"containers\""))
                        .place())
                .isEqualTo(new Place.Bound("n1"));
    }

    @Test
    void readsAThousandNamesOfNodes() throws Exception {
        assertThat(read(pod("", affinity(1_000, "n".repeat(63)) + container(GPUS, GPUS)))
                        .place())
                .isInstanceOfSatisfying(Place.Unbound.class, place -> {
                    assertThat(place.constraints().whyNotEvaluated()).isEmpty();
                    assertThat(place.constraints().weight()).isBetween(100_000L, NodeConstraints.LARGEST);
                });
    }

    /** However many different ones come and go, what is pooled stays small. */
    @Test
    void poolsByWeight() {
        DecodedValuePool pool = new DecodedValuePool();
        for (int i = 0; i < 100_000; i++) {
            String value = "x".repeat(1_000) + i;
            assertThat(pool.intern(value)).isSameAs(value);
        }
        assertThat(pool.weight()).isLessThanOrEqualTo(DecodedValuePool.MAX_WEIGHT);
        String large = "x".repeat(1_000_000);
        assertThat(pool.intern(large)).isSameAs(large);
        assertThat(pool.intern("x".repeat(1_000_000))).isNotSameAs(large);
        String small = new String("a");
        assertThat(pool.intern(small)).isSameAs(pool.intern(new String("a")));
    }

    @Test
    void passesOverANodeBeyondAllMeasure() throws Exception {
        String labels = "{\"metadata\":{\"name\":\"n\",\"labels\":{" + many(40_000, i -> "\"l" + i + "\":\"\"") + "}}}";
        try (JsonParser parser = JsonParsers.json(bytes(labels))) {
            parser.nextToken();
            assertThat(new NodeDecoder().decode(parser))
                    .isInstanceOfSatisfying(
                            ObjectDecodeResult.Malformed.class,
                            malformed -> assertThat(malformed.problem()).contains("node n", "more than 2048 entries"));
        }
    }
}
