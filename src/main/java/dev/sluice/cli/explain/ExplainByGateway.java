package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayInCluster;
import dev.sluice.cli.console.RegisteredNamespaces;
import dev.sluice.cli.console.UserProblem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Explains manifests by asking a running gateway, which answers by its own policy and its own reservations. */
final class ExplainByGateway {

    private static final String PATH = "/api/v1/explain";

    /** A way to a gateway. */
    interface GatewayDoor {
        JsonNode post(Map<String, String> parameters, String json)
                throws UserProblem, InterruptedException, GatewayInCluster.NotAsked;
    }

    private final GatewayDoor door;
    private final Optional<String> namespace;
    private final List<JsonNode> answers = new ArrayList<>();

    private ExplainByGateway(GatewayDoor door, Optional<String> namespace) {
        this.door = door;
        this.namespace = namespace;
    }

    static ExplainByGateway at(GatewayApiClient api, Optional<String> namespace) {
        return new ExplainByGateway((parameters, json) -> api.post(PATH, parameters, json), namespace);
    }

    static ExplainByGateway in(GatewayInCluster gateway, Optional<String> namespace) {
        return new ExplainByGateway(
                (parameters, json) -> {
                    List<String> query = new ArrayList<>();
                    parameters.forEach(
                            (name, value) -> query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
                    return gateway.post(PATH + "?" + String.join("&", query), json);
                },
                namespace);
    }

    /**
     * Asks about one file.
     *
     * @param source the name of the file as the user wrote it
     */
    void ask(String source, byte[] bytes) throws UserProblem, InterruptedException, GatewayInCluster.NotAsked {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("text", "true");
        namespace.ifPresent(name -> parameters.put("namespace", name));
        JsonNode answer = door.post(parameters, list(ManifestReader.trees(source, bytes)));
        answer.path("pods").forEach(pod -> ((ObjectNode) pod).put("source", source));
        answers.add(answer);
    }

    private static String list(List<JsonNode> documents) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("apiVersion", "v1").put("kind", "List").putArray("items").addAll(documents);
        return list.toString();
    }

    /** Returns what the command prints. */
    String text() {
        return String.join(
                System.lineSeparator(),
                answers.stream().map(answer -> answer.path("text").asText()).toList());
    }

    /** Returns the answers as one document. */
    JsonNode document() {
        ObjectNode whole = answers.getFirst().deepCopy();
        ArrayNode pods = whole.putArray("pods");
        answers.forEach(answer -> answer.path("pods").forEach(pods::add));
        whole.remove("text");
        return whole;
    }

    /** Returns the same document with the reasons why the API server does not ask about a namespace. */
    JsonNode document(RegisteredNamespaces registered) {
        JsonNode whole = document();
        whole.path("pods")
                .forEach(pod -> registered
                        .notAsked(pod.path("namespace").asText())
                        .ifPresent(sentence -> ((ObjectNode) pod).put("notAsked", sentence)));
        return whole;
    }

    List<JsonNode> pods() {
        return document().path("pods").valueStream().toList();
    }

    /** Returns the namespaces of all pods, sorted. */
    SortedSet<String> namespaces() {
        SortedSet<String> namespaces = new TreeSet<>();
        pods().forEach(pod -> namespaces.add(pod.path("namespace").asText()));
        return namespaces;
    }

    static boolean isDenied(JsonNode pod) {
        return pod.path("decision").asText().equals("denied") && !observes(pod);
    }

    /** Returns the patch that the gateway sends. It has no operations if the policy only observes. */
    static JsonNode sentPatch(JsonNode pod) {
        return observes(pod) ? JsonNodeFactory.instance.arrayNode() : pod.path("patch");
    }

    private static boolean observes(JsonNode pod) {
        return pod.path("enforcement").asText().equals("observe");
    }
}
