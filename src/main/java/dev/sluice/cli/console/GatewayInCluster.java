package dev.sluice.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.BodyStream;
import dev.sluice.kube.client.ConnectionFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Duration;

/**
 * A gateway in the cluster of the user's kubeconfig. It is asked through the API server, which passes the request on to
 * the pod. The API server does not pass the user's token on, so a gateway that requires a token cannot be asked in this
 * way.
 *
 * @param namespace the namespace of the gateway
 */
public record GatewayInCluster(KubernetesClient client, String namespace) implements AutoCloseable {

    /**
     * The time limit of each request. It is short, because a user waits and the command can also explain without the
     * gateway.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** The longest answer of a gateway in bytes. It includes what the escapes of JSON add. */
    private static final int MOST_BYTES = 16 * 1_024 * 1_024;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The gateway cannot be asked. The message is a clause that says why. */
    public static final class NotAsked extends Exception {

        private static final long serialVersionUID = 1;

        NotAsked(String why) {
            super(why);
        }
    }

    /** The management port of a pod. */
    private record ManagementPort(String pod, int number) {}

    /** Sends JSON to the path of the management port of a gateway that is ready, and returns the JSON of the answer. */
    public JsonNode post(String pathAndQuery, String json) throws NotAsked {
        ApiServer server = new ApiServer(client);
        ManagementPort port = managementPort(server);
        String path = "api/v1/namespaces/" + namespace + "/pods/http:" + port.pod + ":" + port.number + "/proxy"
                + pathAndQuery;
        return read("it cannot be asked through the API server", () -> server.post(path, json, TIMEOUT));
    }

    /** Forwards the management port of a gateway that is ready to a free port of the loopback address. */
    public ForwardedGateway forward() throws NotAsked {
        ManagementPort port = managementPort(new ApiServer(client));
        return new ForwardedGateway(client.pods()
                .inNamespace(namespace)
                .withName(port.pod)
                .portForward(port.number, InetAddress.getLoopbackAddress(), /* localPort= */ 0));
    }

    private ManagementPort managementPort(ApiServer server) throws NotAsked {
        JsonNode pod = ready(server);
        for (JsonNode container : pod.at("/spec/containers")) {
            for (JsonNode port : container.path("ports")) {
                if (port.path("name").asText().equals("management")) {
                    if (container.at("/readinessProbe/httpGet/scheme").asText().equals("HTTPS")) {
                        throw new NotAsked("its management port wants a token; name it with --url and --token-file");
                    }
                    return new ManagementPort(
                            pod.at("/metadata/name").asText(),
                            port.path("containerPort").asInt());
                }
            }
        }
        throw new NotAsked("the pod of the gateway has no port with the name management");
    }

    @Override
    public void close() {
        client.close();
    }

    private JsonNode ready(ApiServer server) throws NotAsked {
        String path = "api/v1/namespaces/" + namespace + "/pods?labelSelector=app%3Dgpu-webhook&limit=50";
        for (JsonNode pod : read("its pods cannot be listed", () -> server.get(path, TIMEOUT, TIMEOUT))
                .path("items")) {
            for (JsonNode condition : pod.at("/status/conditions")) {
                if (condition.path("type").asText().equals("Ready")
                        && condition.path("status").asText().equals("True")) {
                    return pod;
                }
            }
        }
        throw new NotAsked("no pod with the label app=gpu-webhook is ready in the namespace " + namespace);
    }

    /** A request to the API server. */
    private interface ApiRequest {
        BodyStream send() throws IOException;
    }

    private static JsonNode read(String what, ApiRequest request) throws NotAsked {
        try (InputStream body = request.send()) {
            return JSON.readTree(body.readNBytes(MOST_BYTES));
        } catch (ApiFailure refused) {
            throw new NotAsked(what + ": " + refused.summary());
        } catch (IOException failed) {
            throw new NotAsked(what + ": " + ConnectionFailure.reason(failed));
        }
    }
}
