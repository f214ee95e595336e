package dev.sluice.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerConnectionFailure;
import dev.sluice.kube.client.OwnRequiredRight;
import dev.sluice.kube.client.OwnRights;
import dev.sluice.kube.client.OwnRights.RightAnswer;
import dev.sluice.tls.selfmanaged.StoredTrust;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A gateway in the cluster of the user's kubeconfig. Requests are sent to the API server, which passes them on to the
 * pod. The API server does not pass the user's token on, so a gateway that requires a token can only be reached through
 * a forwarded port.
 *
 * @param namespace the namespace of the gateway
 */
public record GatewayInCluster(KubernetesClient client, String namespace) implements AutoCloseable {

    /**
     * The time limit of each request. It is short, because a user waits, and the command {@code explain} can also
     * explain without the gateway.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** The maximum length of an answer in MiB, including the characters that JSON adds for escapes. */
    private static final int MOST_MEBIBYTES = 16;

    /** The subresource of a pod through which a port is forwarded. */
    private static final String PORT_FORWARD = "pods/portforward";

    /** The maximum number of gateways that are asked, one after the other. */
    private static final int MOST_ASKED = 3;

    private static final String UNREACHED = "it cannot be asked through the API server: ";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Thrown if the gateway cannot be asked. The message is a clause that states the reason. */
    public static final class NotAsked extends Exception {

        private static final long serialVersionUID = 1;

        NotAsked(String why) {
            super(why);
        }
    }

    /**
     * The management port of a pod.
     *
     * @param isGuarded true if the port serves TLS and requires a token
     */
    record ManagementPort(String pod, int number, boolean isGuarded) {}

    /**
     * Sends JSON to the path of the management port of a gateway that is ready, and returns the JSON of the answer. If
     * the answer is an error, another gateway is asked, because a gateway may be terminating or have an older version
     * during a rollout.
     */
    public JsonNode post(String path, Map<String, String> parameters, String json) throws NotAsked {
        ApiServer server = new ApiServer(client);
        String query = parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String target = path + (query.isEmpty() ? "" : "?" + query);
        List<ManagementPort> ports = readyPorts(server);
        for (int asked = 1; ; asked++) {
            try {
                return post(server, ports.get(asked - 1), target, json);
            } catch (ApiFailure refused) {
                if (refused.lacksRight() || asked == Math.min(ports.size(), MOST_ASKED)) {
                    throw new NotAsked(UNREACHED + refused.summary());
                }
            } catch (IOException failed) {
                // After a request without an answer, no other gateway is asked. A NetworkPolicy may drop the packets,
                // and then no gateway would answer.
                throw new NotAsked(UNREACHED + ApiServerConnectionFailure.reason(failed));
            }
        }
    }

    private JsonNode post(ApiServer server, ManagementPort port, String target, String json)
            throws NotAsked, IOException {
        if (port.isGuarded) {
            throw new NotAsked("its management port wants a token; name it with --url and --token-file");
        }
        String path =
                "api/v1/namespaces/" + namespace + "/pods/http:" + port.pod + ":" + port.number + "/proxy" + target;
        try (InputStream body = server.post(path, json, TIMEOUT)) {
            return read(body);
        }
    }

    private static JsonNode read(InputStream body) throws IOException {
        int most = MOST_MEBIBYTES << 20;
        byte[] text = body.readNBytes(most + 1);
        if (text.length > most) {
            throw new IOException("the answer is longer than " + MOST_MEBIBYTES + " MiB");
        }
        return JSON.readTree(text);
    }

    /**
     * Returns at most {@link #MOST_ASKED} management ports of ready gateways, in the order in which they should be
     * tried.
     *
     * @param last the name of the pod that was used last and has not answered; its port comes last
     */
    List<ManagementPort> forwardable(Optional<String> last) throws NotAsked {
        return readyPorts(new ApiServer(client)).stream()
                .sorted(Comparator.comparing(
                        ready -> last.filter(ready.pod::equals).isPresent()))
                .limit(MOST_ASKED)
                .toList();
    }

    /** Forwards a management port to a free port of the loopback address. */
    ForwardedPort forward(ManagementPort port) throws NotAsked {
        try {
            return new ForwardedPort(new ApiServer(client), namespace, port);
        } catch (IOException failed) {
            throw new NotAsked("no port of the loopback address can be used: " + failed.getMessage());
        }
    }

    /**
     * Returns the verbs for the subresource {@code pods/portforward} that this user lacks. A verb is left out if the
     * API server does not say whether the user has it.
     */
    List<String> missingToForward() {
        List<OwnRequiredRight> needed =
                OwnRequiredRight.everywhere("", PORT_FORWARD, "the command console", "a Role", "get", "create").stream()
                        .map(right -> right.of(namespace, null))
                        .toList();
        return new OwnRights(new ApiServer(client), needed)
                .ask().stream()
                        .filter(RightAnswer::isMissing)
                        .map(answer -> answer.right().verb())
                        .toList();
    }

    /** Returns the exception for a user who may not use these verbs. */
    NotAsked forbidden(List<String> missing) {
        return new NotAsked("the API server does not let you forward a port to its pod, because you may not "
                + String.join(" or ", missing.isEmpty() ? List.of("get", "create") : missing) + " " + PORT_FORWARD
                + " in the namespace " + namespace);
    }

    /** Returns the name of the context with which the client was opened; empty if it has no kubeconfig. */
    Optional<String> context() {
        return Optional.ofNullable(client.getConfiguration().getCurrentContext())
                .map(used -> used.getName());
    }

    /** Returns the DNS name of the gateway's Service. The certificate of the gateway is valid for this name. */
    String certificateName() {
        return StoredTrust.serviceName(namespace);
    }

    /** Returns the authorities that the API server trusts when it calls the gateway; empty if there are none. */
    List<X509Certificate> authorities() throws ClusterStateException {
        return StoredTrust.authorities(client, namespace);
    }

    private static Optional<ManagementPort> managementPort(JsonNode pod) {
        for (JsonNode container : pod.at("/spec/containers")) {
            for (JsonNode port : container.path("ports")) {
                if (port.path("name").asText().equals("management")) {
                    return Optional.of(new ManagementPort(
                            pod.at("/metadata/name").asText(),
                            port.path("containerPort").asInt(),
                            container
                                    .at("/readinessProbe/httpGet/scheme")
                                    .asText()
                                    .equals("HTTPS")));
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        client.close();
    }

    /** Returns the management ports of the gateways that are ready. Throws NotAsked if there is none. */
    private List<ManagementPort> readyPorts(ApiServer server) throws NotAsked {
        List<JsonNode> ready = pods(server)
                .path("items")
                .valueStream()
                .filter(GatewayInCluster::isReady)
                .toList();
        if (ready.isEmpty()) {
            throw new NotAsked("no pod with the label app=gpu-webhook is ready in the namespace " + namespace);
        }
        List<ManagementPort> ports =
                ready.stream().flatMap(pod -> managementPort(pod).stream()).toList();
        if (ports.isEmpty()) {
            throw new NotAsked("the pod of the gateway has no port with the name management");
        }
        return ports;
    }

    private JsonNode pods(ApiServer server) throws NotAsked {
        String path = "api/v1/namespaces/" + namespace + "/pods?labelSelector=app%3Dgpu-webhook&limit=50";
        try (InputStream body = server.get(path, TIMEOUT, TIMEOUT)) {
            return read(body);
        } catch (ApiFailure refused) {
            throw new NotAsked("its pods cannot be listed: " + refused.summary());
        } catch (IOException failed) {
            throw new NotAsked("its pods cannot be listed: " + ApiServerConnectionFailure.reason(failed));
        }
    }

    /**
     * Returns true if the pod has the condition Ready and is not being deleted. A pod that is being deleted may still
     * have this condition for a while.
     */
    private static boolean isReady(JsonNode pod) {
        return !pod.at("/metadata").has("deletionTimestamp")
                && pod.at("/status/conditions")
                        .valueStream()
                        .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                                && condition.path("status").asText().equals("True"));
    }
}
