package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Trees;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.PodStateDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Of a page every item is told, in its order and by its own name, as pods and as nodes; or the page is refused. */
public final class ListFuzz {

    private static final byte[] GOOD = """
            {"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"good","namespace":"n","uid":"u"},
             "spec":{"containers":[]}}]}
            """.getBytes(StandardCharsets.UTF_8);

    private static final PodStateDecoder PODS = new PodStateDecoder();
    private static final NodeDecoder NODES = new NodeDecoder();

    private ListFuzz() {}

    public static void fuzzerTestOneInput(byte[] page) {
        Frugal.run(page.length, () -> {
            compared(page, PODS, pod -> pod.name().substring(pod.name().indexOf('/') + 1));
            compared(page, NODES, Node::name);
            if (!(read(GOOD, PODS).getFirst() instanceof ObjectDecodeResult.Found<Pod>)
                    || !(read(GOOD, NODES).getFirst() instanceof ObjectDecodeResult.Found<Node>)) {
                throw new AssertionError("a good page is not read after this");
            }
        });
    }

    private static <T> void compared(byte[] page, ObjectDecoder<T> decoder, Function<T, String> name) {
        List<ObjectDecodeResult<T>> told;
        try {
            told = read(page, decoder);
        } catch (IOException refused) {
            return;
        }
        Trees.readStrictly(page)
                .map(tree -> tree.path("items"))
                .filter(JsonNode::isArray)
                .ifPresent(items -> {
                    if (items.size() != told.size()) {
                        throw new AssertionError(told.size() + " of " + items.size() + " items were told");
                    }
                    for (int i = 0; i < told.size(); i++) {
                        if (told.get(i) instanceof ObjectDecodeResult.Found<T>(String _, T value)
                                && !name.apply(value)
                                        .equals(items.path(i)
                                                .path("metadata")
                                                .path("name")
                                                .textValue())) {
                            throw new AssertionError("item " + i + " was told by another name: " + value);
                        }
                    }
                });
    }

    private static <T> List<ObjectDecodeResult<T>> read(byte[] page, ObjectDecoder<T> decoder) throws IOException {
        List<ObjectDecodeResult<T>> told = new ArrayList<>();
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(page))) {
            var _ = new ListDecoder<>(decoder).read(parser, told::add);
        }
        return told;
    }
}
