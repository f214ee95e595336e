package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A pod of the gateway. Its management port is reached through the API server's proxy for pods.
 *
 * @param isGuarded true if the management port uses TLS and requires a token
 * @param ready true if the condition Ready of the pod is True
 */
record StatusReplicaPod(
        LiveClusterRequests api, String namespace, String name, int port, boolean isGuarded, boolean ready)
        implements StatusReplicaAccess {

    private static final String PORT_NAME = "management";
    private static final int USUAL_PORT = 9090;
    private static final int LONGEST = 200;

    /**
     * The time limit of a request. A replica answers within milliseconds. If a NetworkPolicy drops the packets, there
     * is no answer at all.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /** Returns the pods of the list that have not ended. */
    static List<StatusReplicaPod> in(JsonNode list, LiveClusterRequests api, String namespace) {
        List<StatusReplicaPod> pods = new ArrayList<>();
        for (JsonNode pod : list.path("items")) {
            String phase = pod.at("/status/phase").asText();
            if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                pods.add(new StatusReplicaPod(
                        api, namespace, pod.at("/metadata/name").asText(), port(pod), isGuarded(pod), isReady(pod)));
            }
        }
        return pods;
    }

    private static int port(JsonNode pod) {
        for (JsonNode container : pod.at("/spec/containers")) {
            for (JsonNode port : container.path("ports")) {
                if (port.path("name").asText().equals(PORT_NAME)) {
                    return port.path("containerPort").asInt(USUAL_PORT);
                }
            }
        }
        return USUAL_PORT;
    }

    /**
     * Returns true if the readiness probe uses HTTPS. The kubelet probes the management port, and has to use TLS if the
     * port is guarded.
     */
    private static boolean isGuarded(JsonNode pod) {
        return pod.at("/spec/containers")
                .valueStream()
                .map(container -> container.at("/readinessProbe/httpGet"))
                .anyMatch(probe -> probe.path("port").asText().equals(PORT_NAME)
                        && probe.path("scheme").asText().equals("HTTPS"));
    }

    private static boolean isReady(JsonNode pod) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /**
     * Returns the command that forwards the management port of this replica to the user's machine, as a part of a
     * sentence.
     *
     * @param offset the number to add to the local port, so that each replica has its own local port
     */
    String forwarding(int offset) {
        int local = port + offset;
        return "kubectl -n " + namespace + " port-forward " + name + " " + (offset == 0 ? "" : local + ":") + port
                + ", and add --url " + (isGuarded ? "https" : "http") + "://localhost:" + local
                + (isGuarded ? " --token-file TOKEN --ca-file CA" : "");
    }

    @Override
    public JsonNode get(String path, Map<String, String> parameters) throws UserProblem {
        if (isGuarded) {
            throw new UserProblem("its management port wants a token, which the API server does not pass on");
        }
        String query = parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String target = path + (query.isEmpty() ? "" : "?" + query);
        try {
            ApiServerReply reply = api.get(
                    "api/v1/namespaces/" + namespace + "/pods/" + name + ":" + port + "/proxy" + target, PATIENCE);
            if (reply.isSuccessful() && !reply.body().isMissingNode()) {
                return reply.body();
            }
            throw new UserProblem(problem(path, reply));
        } catch (IOException failed) {
            throw new UserProblem(String.valueOf(failed.getMessage()), failed);
        }
    }

    private String problem(String path, ApiServerReply reply) {
        if (reply.lacksRight()) {
            return "you may not get pods/proxy in namespace " + namespace;
        }
        if (reply.body().path("kind").asText().equals("Status")) {
            return "the API server does not reach its management port: " + ShortText.of(reply.message(), LONGEST);
        }
        return reply.status() == 404
                ? StatusReplicaReport.OTHER_VERSION + path
                : "its management port answers " + reply.status() + " "
                        + ShortText.of(reply.body().path("detail").asText(), LONGEST);
    }
}
