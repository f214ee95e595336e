package dev.sluice.cli;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.codec.ApiStatus;
import dev.sluice.codec.Decoded;
import dev.sluice.codec.ListDecoder;
import dev.sluice.codec.NodeDecoder;
import dev.sluice.codec.Parsers;
import dev.sluice.watch.ConnectionFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The nodes of a live cluster, listed once. Somebody waits for it, so what fails is not tried again. */
final class LiveNodes {

    /** As kubectl pages. */
    private static final int PAGE = 500;

    /** The API server itself gives up on a request after a minute. */
    private static final long PATIENCE_SECONDS = 60;

    private final HttpClient http;
    private final URI root;

    private LiveNodes(HttpClient http, URI root) {
        this.http = http;
        this.root = root;
    }

    static List<Node> list(KubernetesClient client) throws UserProblem {
        URI root = URI.create(client.getMasterUrl().toString());
        HttpClient http = client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
        try {
            return new LiveNodes(http, root).pages();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw problem(root, "it was interrupted", stopped);
        } catch (TimeoutException silent) {
            throw problem(root, "no answer within " + PATIENCE_SECONDS + " s", silent);
        } catch (ExecutionException | IOException failed) {
            throw problem(root, ConnectionFailure.reason(failed), failed);
        }
    }

    private static UserProblem problem(URI root, String why, Exception cause) {
        return new UserProblem(
                "the nodes of " + root + " cannot be listed: " + why
                        + "; try kubectl get nodes, or name a file with --cluster-snapshot",
                cause);
    }

    private List<Node> pages() throws IOException, InterruptedException, ExecutionException, TimeoutException {
        List<Node> nodes = new ArrayList<>();
        ListDecoder<Node> decoder = new ListDecoder<>(new NodeDecoder());
        String next = "";
        do {
            String query = "?limit=" + PAGE
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
            try (JsonParser parser = Parsers.json(new ByteArrayInputStream(get("/api/v1/nodes" + query)))) {
                next = decoder.read(parser, item -> keep(item, nodes)).continueToken();
            }
        } while (!next.isEmpty());
        return nodes;
    }

    private byte[] get(String pathAndQuery)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        HttpResponse<byte[]> response = http.sendAsync(
                        http.newHttpRequestBuilder()
                                .uri(root.resolve(pathAndQuery))
                                .header("Accept", "application/json")
                                .build(),
                        byte[].class)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!response.isSuccessful()) {
            throw new IOException("the API server answered " + response.code() + message(response.body()));
        }
        return response.body();
    }

    /** What the Status in the body says, where there is one. */
    private static String message(byte[] body) {
        try (JsonParser parser = Parsers.json(new ByteArrayInputStream(body))) {
            parser.nextToken();
            String message = ApiStatus.read(parser).message();
            return message.isEmpty() ? "" : " (" + message + ")";
        } catch (IOException _) {
            return "";
        }
    }

    private static void keep(Decoded<Node> item, List<Node> nodes) {
        switch (item) {
            case Decoded.Found<Node> found -> nodes.add(found.value());
            // A list of nodes holds nothing else, and a node that cannot be read offers nothing to the gateway either.
            case Decoded.Ended<Node> _, Decoded.OtherKind<Node> _, Decoded.Malformed<Node> _ -> {}
        }
    }
}
