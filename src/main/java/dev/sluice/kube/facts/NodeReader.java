package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.NodeFacts.ReadyCondition;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.decode.NodeDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads nodes, by the decoder that the gateway uses, and their condition. */
final class NodeReader {

    private final NodeDecoder decoder = new NodeDecoder();

    public NodeFacts read(Fields item) throws MalformedItem {
        Fields status = item.object("status");
        boolean reported = status.has("capacity") || status.has("allocatable");
        Fields ready = PodReader.condition(status, "Ready");
        return new NodeFacts(
                withBoth(node(item), status),
                reported,
                new ReadyCondition(ready.text("status"), ready.text("reason")),
                item.object("metadata").time(PrunedTree.MIG_LABELLED));
    }

    private Node node(Fields item) throws MalformedItem {
        try (JsonParser parser = item.json().traverse()) {
            parser.nextToken();
            return switch (decoder.decode(parser)) {
                case DecodeResult.Found<Node> found -> found.value();
                case DecodeResult.Malformed<Node> malformed ->
                    throw new MalformedItem(malformed.problem().replaceFirst("^node [^:]*: ", ""));
                case DecodeResult.Ended<Node> _, DecodeResult.OtherKind<Node> _ ->
                    throw new MalformedItem("it is no node");
            };
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    /** Each is the default of the other, as for the API server (SetDefaults_NodeStatus). */
    private static Node withBoth(Node node, Fields status) {
        return new Node(
                node.name(),
                node.labels(),
                node.taints(),
                node.unschedulable(),
                status.has("capacity") ? node.capacity() : node.allocatable(),
                status.has("allocatable") ? node.allocatable() : node.capacity(),
                node.resourceVersion());
    }
}
