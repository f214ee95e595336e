package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.PodAskedAbout;
import dev.sluice.cli.status.Registration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The explanations that a running gateway gives, based on its own policy and its own reservations. */
final class ExplainByGateway implements ExplainAnswers {

    private static final String PATH = "/api/v1/explain";

    /**
     * A connection to the API of a gateway.
     *
     * @param <E> the exception that is thrown if no gateway can be reached
     */
    interface GatewayDoor<E extends Exception> {
        JsonNode post(String path, Map<String, String> parameters, String json)
                throws UserProblem, InterruptedException, E;
    }

    /** The answers, one for each file that has pods. */
    private final List<JsonNode> answers = new ArrayList<>();

    /** The pods of all answers, in the order of the answers. */
    private final List<PodAskedAbout> asked = new ArrayList<>();

    private ExplainByGateway() {}

    /**
     * Requests the explanations of all files from a gateway.
     *
     * @param namespace the namespace of the pods; empty to use the namespace of each object
     * @param notes receives a sentence about the objects of a file that create no pods
     */
    static <E extends Exception> ExplainByGateway ask(
            ExplainFiles files, Optional<String> namespace, GatewayDoor<E> door, Consumer<String> notes)
            throws UserProblem, InterruptedException, E {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("text", "true");
        namespace.ifPresent(name -> parameters.put("namespace", name));
        ExplainByGateway all = new ExplainByGateway();
        List<String> skipped = new ArrayList<>();
        for (ExplainFiles.ReadFile file : files.all()) {
            List<JsonNode> documents = ManifestReader.trees(file.source(), file.content());
            List<Manifest> manifests = ManifestReader.of(file.source(), documents);
            ExplainFiles.skipped(manifests).ifPresent(skipped::add);
            List<Manifest> withPods = ExplainFiles.withPods(manifests);
            if (!withPods.isEmpty()) {
                all.add(file.source(), withPods, door.post(PATH, parameters, list(documents)));
            }
        }
        skipped.forEach(notes);
        if (all.answers.isEmpty()) {
            throw files.withoutPods();
        }
        return all;
    }

    private static String list(List<JsonNode> documents) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("apiVersion", "v1").put("kind", "List").putArray("items").addAll(documents);
        return list.toString();
    }

    private void add(String source, List<Manifest> manifests, JsonNode answer) throws UserProblem {
        JsonNode pods = answer.path("pods");
        if (!answer.isObject() || pods.isEmpty() || !pods.valueStream().allMatch(JsonNode::isObject)) {
            throw new UserProblem("the answer has no explanation of " + source + "; --url must name the management port"
                    + " of a gateway");
        }
        answers.add(answer);
        for (int at = 0; at < pods.size(); at++) {
            ObjectNode pod = (ObjectNode) pods.path(at);
            pod.put("source", source);
            String where = pod.path("namespace").asText();
            // A gateway of another version may find other pods in the same documents. Then nobody knows which manifest
            // belongs to which pod of the answer, so the manifests are not used.
            asked.add(
                    manifests.size() == pods.size()
                            ? manifests.get(at).toCreate(where)
                            : new PodAskedAbout(
                                    where,
                                    pod.path("kind").asText(),
                                    MissingNode.getInstance(),
                                    /* isOfTemplate= */ false));
        }
    }

    private Stream<JsonNode> pods() {
        return answers.stream().flatMap(answer -> answer.path("pods").valueStream());
    }

    @Override
    public List<String> namespaces() {
        return asked.stream().map(PodAskedAbout::namespace).toList();
    }

    @Override
    public void print(Terminal terminal, Registration registered) {
        terminal.out()
                .print(String.join(
                        System.lineSeparator(),
                        answers.stream()
                                .map(answer -> answer.path("text").asText())
                                .toList()));
        TerminalPage page = terminal.page();
        asked.stream()
                .flatMap(pod -> registered.notAsked(pod).stream())
                .distinct()
                .forEach(sentence -> {
                    page.line();
                    page.sentence(sentence);
                });
        new ExplainText(page, registered).notes();
    }

    /**
     * Returns the answers as one document. If the API server does not call the webhook for a pod, the reason is added
     * to the pod.
     */
    @Override
    public Object document(Registration registered) {
        ObjectNode whole = answers.getFirst().deepCopy();
        ArrayNode pods = whole.putArray("pods");
        pods().forEach(pod -> pods.add(pod.<ObjectNode>deepCopy()));
        for (int at = 0; at < asked.size(); at++) {
            ObjectNode pod = (ObjectNode) pods.path(at);
            registered.notAsked(asked.get(at)).ifPresent(sentence -> pod.put("notAsked", sentence));
        }
        whole.remove("text");
        // A gateway cannot read the registration of the webhook, and its notes say only this. The command has read the
        // registration, so the notes of the command replace them.
        whole.remove("notes");
        if (!registered.notes().isEmpty()) {
            ArrayNode notes = whole.putArray("notes");
            registered.notes().forEach(notes::add);
        }
        return whole;
    }

    @Override
    public List<SentPatch> patches() {
        return pods().map(pod -> new SentPatch(
                        observes(pod) ? JsonNodeFactory.instance.arrayNode() : pod.path("patch"), remark(pod)))
                .toList();
    }

    private static Optional<String> remark(JsonNode pod) {
        String title = pod.path("kind").asText() + " " + pod.path("name").asText();
        return observes(pod)
                ? Optional.of(title + ": " + ExplainText.OBSERVED)
                : isDenied(pod)
                        ? Optional.of(
                                title + " is denied: " + pod.path("message").asText())
                        : Optional.empty();
    }

    @Override
    public boolean isAnyDenied() {
        return pods().anyMatch(ExplainByGateway::isDenied);
    }

    private static boolean isDenied(JsonNode pod) {
        return pod.path("decision").asText().equals("denied") && !observes(pod);
    }

    private static boolean observes(JsonNode pod) {
        return pod.path("enforcement").asText().equals(Enforcement.OBSERVE.word());
    }
}
