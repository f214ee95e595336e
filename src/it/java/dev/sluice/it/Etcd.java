package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** etcd's own API, over its JSON gateway. */
final class Etcd {

    private Etcd() {}

    /** Forgets every revision but the newest. */
    static void compact(String address) throws IOException, InterruptedException {
        String newest = ask(address + "/v3/maintenance/status", "{}")
                .path("header")
                .path("revision")
                .asText();
        var _ = ask(address + "/v3/kv/compaction", "{\"revision\": \"" + newest + "\", \"physical\": true}");
    }

    private static JsonNode ask(String address, String body) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            var response = http.send(
                    HttpRequest.newBuilder(URI.create(address))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError("etcd answered " + response.statusCode() + ": " + response.body());
            }
            return Serialization.unmarshal(response.body(), JsonNode.class);
        }
    }
}
