package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectMeta;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeStreamTest {

    private static final String NODE = """
            {"kind":"Node","apiVersion":"v1",
             "metadata":{"name":"größer-大-😀","uid":"u","resourceVersion":"42",
               "labels":{"kubernetes.io/hostname":"größer-大-😀","gpu":"true"},
               "managedFields":[{"fieldsV1":{"f:metadata":{"k:{\\"uid\\":\\"1\\"}":{}}}}]},
             "spec":{"unschedulable":true,"podCIDR":"10.0.0.0/24",
               "taints":[{"key":"a","value":null,"effect":"NoExecute","timeAdded":"2026-11-21T12:00:00Z"},
                         {"key":"b","value":"c","effect":"PreferNoSchedule"}]},
             "status":{"capacity":{"cpu":"4","nvidia.com/gpu":"8"},
               "allocatable":{"cpu":"3920m","memory":"16Gi","nvidia.com/gpu":8},
               "conditions":[{"type":"Ready","status":"True"}]}}""";

    private final NodeDecoder decoder = new NodeDecoder();

    /** Hands out one byte at a time, as the worst network would. */
    private static final class Trickle extends InputStream {
        private final InputStream bytes;

        Trickle(String text) {
            bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return bytes.read(target, offset, Math.min(length, 1));
        }
    }

    private ObjectDecodeResult<Node> decode(String json) throws IOException {
        try (JsonParser parser = JsonParsers.json(new Trickle(json))) {
            parser.nextToken();
            return decoder.decode(parser);
        }
    }

    private static Node node(ObjectDecodeResult<Node> decoded) {
        return switch (decoded) {
            case ObjectDecodeResult.Found<Node> found -> found.value();
            case ObjectDecodeResult.Ended<Node> _,
                    ObjectDecodeResult.OtherKind<Node> _,
                    ObjectDecodeResult.Malformed<Node> _ -> throw new AssertionError(decoded);
        };
    }

    private static final ObjectMeta META = new ObjectMeta("größer-大-😀", "", "u", "", 42);

    @Test
    void keepsWhatDecisionsRead() throws Exception {
        Node node = node(decode(NODE));
        assertThat(node.name()).isEqualTo("größer-大-😀");
        assertThat(node.labels()).hasSize(2).containsEntry("kubernetes.io/hostname", "größer-大-😀");
        assertThat(node.resourceVersion()).isEqualTo(42);
        assertThat(node.unschedulable()).isTrue();
        assertThat(node.taints())
                .containsExactly(
                        new Taint("a", "", Taint.Effect.NO_EXECUTE),
                        new Taint("b", "c", Taint.Effect.PREFER_NO_SCHEDULE));
        assertThat(node.capacity()).hasToString("{cpu: 4000, nvidia.com/gpu: 8}");
        assertThat(node.allocatable()).hasToString("{cpu: 3920, memory: 17179869184, nvidia.com/gpu: 8}");
        assertThat(node.allocatable().get(ResourceName.CPU)).isEqualTo(3920);
    }

    @Test
    void sharesWhatManyNodesHaveInCommon() throws Exception {
        Node one = node(decode(NODE));
        Node other = node(decode(NODE.replace("größer", "kleiner")));
        assertThat(other.allocatable()).isSameAs(one.allocatable());
        assertThat(other.taints()).isSameAs(one.taints());
        assertThat(other.labels().get("gpu")).isSameAs(one.labels().get("gpu"));
    }

    @Test
    void aVersionThatIsNoNumberIsNone() throws Exception {
        assertThat(node(decode(NODE.replace("\"42\"", "\"x42\""))).resourceVersion())
                .isZero();
        assertThat(node(decode(NODE.replace("\"42\"", "null"))).resourceVersion())
                .isZero();
        assertThat(node(decode(NODE.replace("\"42\"", "\"99999999999999999999\"")))
                        .resourceVersion())
                .isZero();
    }

    @Test
    void namesTheNodeThatIsMalformed() throws Exception {
        assertThat(decode(NODE.replace("\"16Gi\"", "\"16 GiB\"")))
                .isEqualTo(new ObjectDecodeResult.Malformed<>(
                        "Node",
                        META,
                        "node größer-大-😀: status.allocatable.memory is not a quantity such as 1 or 2Gi"));
        assertThat(decode(NODE.replace("\"key\":\"a\",", "")))
                .isEqualTo(new ObjectDecodeResult.Malformed<>(
                        "Node", META, "node größer-大-😀: spec.taints has one without a key"));
        assertThat(decode(NODE.replace("{\"kubernetes.io/hostname\"", "[],\"x\":{\"kubernetes.io/hostname\"")))
                .isInstanceOf(ObjectDecodeResult.Malformed.class);
    }

    @Test
    void passesOverOtherKinds() throws Exception {
        assertThat(decode(NODE.replace("\"Node\"", "\"Pod\""))).isEqualTo(new ObjectDecodeResult.OtherKind<>("Pod"));
        assertThat(decode(NODE.replace("\"v1\"", "\"longhorn.io/v1\"")))
                .isEqualTo(new ObjectDecodeResult.OtherKind<>("Node of longhorn.io/v1"));
    }

    @Test
    void readsEventsThatComeByteByByte() throws Exception {
        String events = "{\"type\":\"ADDED\",\"object\":" + NODE + "}\n"
                + "{\"type\":\"DELETED\",\"object\":" + NODE.replace("\"16Gi\"", "\"?\"") + "}"
                + "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"43\"}}}\n\n"
                + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"m\"}}"
                + "{\"object\":{},\"type\":\"ADDED\"}{\"type\":\"ADDED\",\"object\":7}";
        ApiServerWatchEventDecoder<Node> watch = new ApiServerWatchEventDecoder<>(decoder);
        List<ApiServerWatchEvent<Node>> read = new ArrayList<>();
        try (JsonParser parser = JsonParsers.json(new Trickle(events))) {
            for (Optional<ApiServerWatchEvent<Node>> next = watch.next(parser);
                    next.isPresent();
                    next = watch.next(parser)) {
                read.add(next.get());
            }
        }
        assertThat(read)
                .containsExactly(
                        new ApiServerWatchEvent.AddedOrModified<>(node(decode(NODE))),
                        new ApiServerWatchEvent.Deleted<>(META),
                        new ApiServerWatchEvent.Bookmark<>(43),
                        new ApiServerWatchEvent.WatchError<>(new ApiStatus(410, "Expired", "m")),
                        new ApiServerWatchEvent.UnknownEvent<>("a watch event of unknown type ''"),
                        new ApiServerWatchEvent.MalformedEvent<>(
                                new ObjectMeta("", "", "", "", 0), "node : the object is not a map"));
    }

    @Test
    void anEventOrListThatIsCutShortIsNone() {
        String event = "{\"type\":\"ADDED\",\"object\":" + NODE;
        assertThatThrownBy(() -> new ApiServerWatchEventDecoder<>(decoder).next(JsonParsers.json(new Trickle(event))))
                .isInstanceOf(IOException.class);
        String page = "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" + NODE;
        assertThatThrownBy(() -> new ListDecoder<>(decoder).read(JsonParsers.json(new Trickle(page)), _ -> {}))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new ListDecoder<>(decoder).read(JsonParsers.json(new Trickle("[]")), _ -> {}))
                .isInstanceOf(IOException.class);
    }
}
