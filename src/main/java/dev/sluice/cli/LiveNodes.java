package dev.sluice.cli;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.codec.Decoded;
import dev.sluice.codec.ListDecoder;
import dev.sluice.codec.NodeDecoder;
import dev.sluice.codec.Parsers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The nodes of a live cluster, listed once. */
final class LiveNodes {

    /** As kubectl pages. */
    private static final int PAGE = 500;

    private LiveNodes() {}

    static List<Node> list(KubernetesClient client) throws UserProblem {
        try {
            return pages(client);
        } catch (KubernetesClientException | IOException failed) {
            throw new UserProblem(
                    "the nodes of " + client.getMasterUrl() + " cannot be listed: " + firstLine(failed)
                            + "; try kubectl get nodes, or name a file with --cluster-snapshot",
                    failed);
        }
    }

    private static List<Node> pages(KubernetesClient client) throws IOException {
        List<Node> nodes = new ArrayList<>();
        ListDecoder<Node> decoder = new ListDecoder<>(new NodeDecoder());
        String next = "";
        do {
            String page = client.raw("/api/v1/nodes?limit=" + PAGE
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8)));
            try (JsonParser parser = Parsers.json(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)))) {
                next = decoder.read(parser, item -> keep(item, nodes)).continueToken();
            }
        } while (!next.isEmpty());
        return nodes;
    }

    private static void keep(Decoded<Node> item, List<Node> nodes) {
        switch (item) {
            case Decoded.Found<Node> found -> nodes.add(found.value());
            // A list of nodes holds nothing else, and a node that cannot be read offers nothing to the gateway either.
            case Decoded.OtherKind<Node> _, Decoded.Malformed<Node> _ -> {}
        }
    }

    private static String firstLine(Exception failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage() == null ? cause : cause.getMessage());
        return message.lines().findFirst().orElse("no reason was given");
    }
}
