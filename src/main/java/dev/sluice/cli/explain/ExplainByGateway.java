package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayInCluster;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.registration.PodToCreate;
import dev.sluice.cli.registration.Registration;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains manifests by asking a running gateway, which answers by its own policy and its own reservations. */
final class ExplainByGateway {

    private static final String PATH = "/api/v1/explain";

    /** A connection to a gateway. */
    interface GatewayDoor {
        JsonNode post(Map<String, String> parameters, String json)
                throws UserProblem, InterruptedException, GatewayInCluster.NotAsked;
    }

    private final GatewayDoor door;
    private final Optional<String> namespace;
    private final List<JsonNode> answers = new ArrayList<>();
    /** The pods of all answers, in their order. */
    private final List<PodToCreate> asked = new ArrayList<>();

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
        List<JsonNode> documents = ManifestReader.trees(source, bytes);
        JsonNode answer = door.post(parameters, list(documents));
        answer.path("pods").forEach(pod -> ((ObjectNode) pod).put("source", source));
        answers.add(answer);
        List<Manifest> manifests = ManifestReader.of(source, documents).stream()
                .filter(manifest -> !(manifest instanceof Manifest.Other))
                .toList();
        for (int at = 0; at < answer.path("pods").size(); at++) {
            JsonNode pod = answer.path("pods").path(at);
            String where = pod.path("namespace").asText();
            // A gateway of another version may find a different number of pods in the same documents.
            asked.add(
                    manifests.size() == answer.path("pods").size()
                            ? manifests.get(at).toCreate(where)
                            : new PodToCreate(
                                    where,
                                    pod.path("kind").asText(),
                                    MissingNode.getInstance(),
                                    /* isOfTemplate= */ false));
        }
    }

    private static String list(List<JsonNode> documents) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("apiVersion", "v1").put("kind", "List").putArray("items").addAll(documents);
        return list.toString();
    }

    /** Returns the text that the command prints. */
    String text() {
        return String.join(
                System.lineSeparator(),
                answers.stream().map(answer -> answer.path("text").asText()).toList());
    }

    /** Returns the answers as one document. */
    private ObjectNode document() {
        ObjectNode whole = answers.getFirst().deepCopy();
        ArrayNode pods = whole.putArray("pods");
        answers.forEach(answer -> answer.path("pods").forEach(pods::add));
        whole.remove("text");
        return whole;
    }

    /** Returns the same document with what is known, and what is not, of the pods that the API server asks about. */
    JsonNode document(Registration registered) {
        ObjectNode whole = document();
        for (int at = 0; at < asked.size(); at++) {
            ObjectNode pod = (ObjectNode) whole.path("pods").path(at);
            registered.notAsked(asked.get(at)).ifPresent(sentence -> pod.put("notAsked", sentence));
        }
        // The gateway only says that it does not read the registration.
        whole.remove("notes");
        if (!registered.notes().isEmpty()) {
            ArrayNode notes = whole.putArray("notes");
            registered.notes().forEach(notes::add);
        }
        return whole;
    }

    /** Returns why the API server does not ask about some of the pods, each sentence once. */
    List<String> notAsked(Registration registered) {
        return asked.stream()
                .flatMap(pod -> registered.notAsked(pod).stream())
                .distinct()
                .toList();
    }

    List<JsonNode> pods() {
        return document().path("pods").valueStream().toList();
    }

    /** Returns the namespace of each pod. */
    List<String> namespaces() {
        return asked.stream().map(PodToCreate::namespace).toList();
    }

    static boolean isDenied(JsonNode pod) {
        return pod.path("decision").asText().equals("denied") && !observes(pod);
    }

    /** Returns the patch that the gateway sends. It has no operations if the policy only observes. */
    static JsonNode sentPatch(JsonNode pod) {
        return observes(pod) ? JsonNodeFactory.instance.arrayNode() : pod.path("patch");
    }

    private static boolean observes(JsonNode pod) {
        return pod.path("enforcement").asText().equals(Enforcement.OBSERVE.word());
    }
}
