package dev.sluice.cli.console;

import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerReply;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Sends single requests to the API server of a live cluster. No request is repeated. */
public final class LiveClusterRequests implements AutoCloseable {

    /** The time limit of a request. It is longer than the time that the API server may wait for a webhook. */
    private static final Duration PATIENCE = Duration.ofSeconds(35);

    private final KubernetesClient client;
    private final ApiServer server;

    LiveClusterRequests(KubernetesClient client) {
        this.client = client;
        this.server = new ApiServer(client);
    }

    /** Returns the URL of the API server. */
    public String address() {
        return client.getMasterUrl().toString();
    }

    /** Returns the namespace of the kubeconfig's context, or of the pod in which this process runs. */
    public Optional<String> namespace() {
        return Optional.ofNullable(client.getNamespace());
    }

    public ApiServerReply get(String pathAndQuery) throws IOException {
        return server.reply(pathAndQuery, PATIENCE);
    }

    public ApiServerReply get(String pathAndQuery, Duration patience) throws IOException {
        return server.reply(pathAndQuery, patience);
    }

    public ApiServerReply post(String pathAndQuery, String json) throws IOException {
        return server.reply(pathAndQuery, PATIENCE, json);
    }

    @Override
    public void close() {
        client.close();
    }
}
