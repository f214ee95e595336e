package dev.sluice.bench;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.ledger.placement.PlacementNodes;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Clusters of any size. */
final class SampleCluster {

    /** The default policy, but in availability mode. */
    static final Policy AVAILABILITY = new Policy(
            Policy.Mode.AVAILABILITY,
            Policy.DEFAULT.whenNotOffered(),
            Policy.DEFAULT.whenClusterHasNoGpu(),
            Policy.DEFAULT.whenExhausted(),
            Policy.DEFAULT.whenStale(),
            Policy.DEFAULT.chains(),
            Policy.DEFAULT.whenUnreadable(),
            Policy.DEFAULT.helpText(),
            Policy.DEFAULT.fallbackMessage(),
            Policy.DEFAULT.preemption(),
            Policy.DEFAULT.whenGated(),
            Policy.DEFAULT.enforcement(),
            Policy.DEFAULT.observedMessage());

    private SampleCluster() {}

    /** Read through the gateway's own decoder, so that they share what it lets them share. */
    static List<Node> nodes(int count) {
        return nodes(count, new NodeDecoder());
    }

    static List<Node> nodes(int count, NodeDecoder decoder) {
        return IntStream.range(0, count)
                .mapToObj(number -> decoded(decoder, SampleNodes.node(number)))
                .toList();
    }

    private static Node decoded(NodeDecoder decoder, String json) {
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))) {
            parser.nextToken();
            return switch (decoder.decode(parser)) {
                case ObjectDecodeResult.Found<Node> found -> found.value();
                case ObjectDecodeResult.Ended<Node> ended -> throw new IllegalStateException(ended.toString());
                case ObjectDecodeResult.OtherKind<Node> other -> throw new IllegalStateException(other.kind());
                case ObjectDecodeResult.Malformed<Node> malformed ->
                    throw new IllegalStateException(malformed.problem());
            };
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** A ledger that has heard of these nodes in one list. */
    static PlacementNodes ledger(List<Node> nodes) {
        PlacementNodes ledger = new PlacementNodes();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        return ledger;
    }

    /** A snapshot file as {@code kubectl get nodes -o json} writes it. */
    static void write(int count, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n");
            for (int number = 0; number < count; number++) {
                out.write(SampleNodes.node(number));
                out.write(number + 1 < count ? ",\n" : "\n");
            }
            out.write(
                    "    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n");
        }
    }
}
