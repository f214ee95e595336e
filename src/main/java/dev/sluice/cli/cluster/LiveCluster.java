package dev.sluice.cli.cluster;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.event.PassedOver;
import dev.sluice.json.Parsers;
import dev.sluice.kube.list.ApiStatus;
import dev.sluice.kube.list.Decoded;
import dev.sluice.kube.list.ListDecoder;
import dev.sluice.kube.list.ObjectDecoder;
import dev.sluice.kube.transport.ConnectionFailure;
import dev.sluice.node.Node;
import dev.sluice.objects.NodeDecoder;
import dev.sluice.objects.PodStateDecoder;
import dev.sluice.pod.Pod;
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

/** The objects of a live cluster, listed once. Somebody waits for it, so what fails is not tried again. */
final class LiveCluster {

    private static final String NOT_ENDED = "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed";

    /** As kubectl pages. */
    private static final int PAGE = 500;

    /** The API server itself gives up on a request after a minute. */
    private static final long PATIENCE_SECONDS = 60;

    private final HttpClient http;
    private final URI root;

    private LiveCluster(HttpClient http, URI root) {
        this.http = http;
        this.root = root;
    }

    static LiveCluster of(KubernetesClient client) {
        URI root = URI.create(client.getMasterUrl().toString());
        HttpClient http = client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
        return new LiveCluster(http, root);
    }

    /**
     * A complete list.
     *
     * @param passedOver what could not be read
     */
    record ListedObjects<T>(List<T> objects, PassedOver passedOver) {}

    ListedObjects<Node> nodes() throws UserProblem {
        return list(new Query("nodes", "/api/v1/nodes?", "kubectl get nodes"), new NodeDecoder());
    }

    /** Those that have not ended. */
    ListedObjects<Pod> pods() throws UserProblem {
        return list(new Query("pods", "/api/v1/pods?" + NOT_ENDED + "&", "kubectl get pods -A"), new PodStateDecoder());
    }

    private record Query(String what, String path, String byHand) {}

    private <T> ListedObjects<T> list(Query query, ObjectDecoder<T> decoder) throws UserProblem {
        try {
            return pages(query.path(), new ListDecoder<>(decoder));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw problem(query, "it was interrupted", stopped);
        } catch (TimeoutException silent) {
            throw problem(query, "no answer within " + PATIENCE_SECONDS + " s", silent);
        } catch (ExecutionException | IOException failed) {
            throw problem(query, ConnectionFailure.reason(failed), failed);
        }
    }

    private UserProblem problem(Query query, String why, Exception cause) {
        return new UserProblem(
                "the " + query.what() + " of " + root + " cannot be listed: " + why + "; try " + query.byHand()
                        + ", or name a file with --cluster-snapshot",
                cause);
    }

    private <T> ListedObjects<T> pages(String path, ListDecoder<T> decoder)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        List<T> objects = new ArrayList<>();
        List<String> unread = new ArrayList<>();
        String next = "";
        do {
            String query = "limit=" + PAGE
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
            try (JsonParser parser = Parsers.json(new ByteArrayInputStream(get(path + query)))) {
                next = decoder.read(parser, item -> keep(item, objects, unread)).continueToken();
            }
        } while (!next.isEmpty());
        return new ListedObjects<>(objects, PassedOver.of(unread));
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

    private static <T> void keep(Decoded<T> item, List<T> objects, List<String> unread) {
        switch (item) {
            case Decoded.Found<T> found -> objects.add(found.value());
            case Decoded.Malformed<T> malformed -> unread.add(malformed.object().fullName());
            // A list holds nothing of another kind.
            case Decoded.Ended<T> _, Decoded.OtherKind<T> _ -> {}
        }
    }
}
