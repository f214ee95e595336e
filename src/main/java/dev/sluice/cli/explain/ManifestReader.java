package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.ManifestDocuments.Duplicates;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.decode.ReviewPodDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads all objects of one manifest file. Each file needs its own reader. */
public final class ManifestReader {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String source;
    private final List<Manifest> manifests = new ArrayList<>();

    private ManifestReader(String source) {
        this.source = source;
    }

    /**
     * Returns the objects of a file. Each item of a list is returned as a separate object.
     *
     * @param source the name of the file as the user wrote it
     * @param bytes the content of the file
     */
    public static List<Manifest> read(String source, byte[] bytes) throws UserProblem {
        ManifestReader reader = new ManifestReader(source);
        reader.file(bytes);
        return reader.manifests;
    }

    /**
     * Returns the objects of a JSON text. Use this method for untrusted texts, because the objects of a JSON text take
     * memory in proportion to its length. The objects of a YAML text may take much more.
     */
    static List<Manifest> readJson(String source, byte[] bytes) throws UserProblem {
        ManifestReader reader = new ManifestReader(source);
        if (!ManifestDocuments.isJson(bytes)) {
            throw new UserProblem(source + " is no JSON object; kubectl -o json writes one");
        }
        reader.json(bytes, isOneReview(ManifestDocuments.json(source, bytes, Duplicates.LAST_WINS)));
        return reader.manifests;
    }

    /** Returns the objects in these documents of a file. */
    static List<Manifest> of(String source, List<JsonNode> documents) throws UserProblem {
        ManifestReader reader = new ManifestReader(source);
        reader.documents(documents);
        return reader.manifests;
    }

    /** Returns the RuntimeClasses and PriorityClasses of a file. All other objects are ignored. */
    static List<Manifest> classes(String source, byte[] bytes) throws UserProblem {
        ManifestReader reader = new ManifestReader(source);
        for (JsonNode document : trees(source, bytes)) {
            reader.collectClasses(document, null);
        }
        return reader.manifests;
    }

    /**
     * Returns the JSON or YAML documents of a file without interpreting them. If a key occurs twice in a JSON object,
     * the last value is used.
     */
    static List<JsonNode> trees(String source, byte[] bytes) throws UserProblem {
        return ManifestDocuments.isJson(bytes)
                ? ManifestDocuments.jsonOrFlow(source, bytes, Duplicates.LAST_WINS)
                : ManifestDocuments.yaml(source, bytes);
    }

    /**
     * Reads the file. A file that begins with a brace may be JSON or YAML in flow style. If such a file is valid in
     * neither format, the problem of the JSON parser is reported.
     */
    private void file(byte[] bytes) throws UserProblem {
        if (!ManifestDocuments.isJson(bytes)) {
            documents(ManifestDocuments.yaml(source, bytes));
            return;
        }
        boolean review;
        try {
            review = isOneReview(ManifestDocuments.json(source, bytes, Duplicates.LAST_WINS));
        } catch (UserProblem noJson) {
            documents(ManifestDocuments.flowStyle(source, bytes, noJson));
            return;
        }
        json(bytes, review);
    }

    private static boolean isOneReview(List<JsonNode> documents) {
        return documents.size() == 1 && isReview(documents.getFirst());
    }

    /** Returns the pod as the gateway would read it. */
    public static PodRequest decode(Manifest.ManifestPods manifest) throws UserProblem {
        try (JsonParser parser = JSON.treeAsTokens(manifest.pod())) {
            parser.nextToken();
            ReviewPodDecoder decoder = new ReviewPodDecoder(new JsonCursor(parser));
            decoder.read();
            return switch (decoder.object()) {
                case PodObject.ReadPod pod -> pod.request();
                case PodObject.Absent _ -> throw new IllegalStateException("a decoder of pods read none");
                case PodObject.UnreadableObject unreadable ->
                    throw new UserProblem(manifest.source() + ": " + manifest.title() + ": " + unreadable.problem());
            };
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    private void json(byte[] bytes, boolean isOneReview) throws UserProblem {
        if (isOneReview) {
            // The review is decoded from the bytes of the file, like the body of a request in the gateway. A tree of
            // JSON nodes would hide a key that occurs twice.
            review(bytes);
        } else {
            documents(ManifestDocuments.json(source, bytes, Duplicates.REFUSED));
        }
    }

    private void documents(List<JsonNode> documents) throws UserProblem {
        if (documents.isEmpty()) {
            throw new UserProblem(source + " is empty; it should hold a pod, or something that makes pods");
        }
        for (JsonNode document : documents) {
            if (!document.isObject() || textOf(document, "kind").isEmpty()) {
                throw new UserProblem(source + ": is no Kubernetes object, as it has no kind");
            }
            object(document, null);
        }
    }

    /**
     * Reads one object.
     *
     * @param list the list that contains the object; null if the object is not in a list. If the object states no kind,
     *     the kind of the list determines it
     */
    private void object(JsonNode object, @Nullable JsonNode list) throws UserProblem {
        String kind = kind(object, list);
        String apiVersion = apiVersion(object, list);
        if (isReview(object)) {
            review(object.toString().getBytes(StandardCharsets.UTF_8));
        } else if (kind.endsWith("List") && object.path("items").isArray()) {
            for (JsonNode item : object.path("items")) {
                object(item, object);
            }
        } else if (isPodClass(apiVersion, kind)) {
            manifests.add(new Manifest.PodClass(source, kind, nameOf(object), object));
        } else {
            Optional<ManifestPodTemplates> templates = ManifestPodTemplates.of(apiVersion, kind);
            manifests.addAll(
                    templates.isPresent() ? List.of(pods(object, kind, templates.get())) : custom(object, kind));
        }
    }

    private static boolean isPodClass(String apiVersion, String kind) {
        return (kind.equals("RuntimeClass") && apiVersion.startsWith("node.k8s.io/"))
                || (kind.equals("PriorityClass") && apiVersion.startsWith("scheduling.k8s.io/"));
    }

    private void collectClasses(JsonNode object, @Nullable JsonNode list) {
        String kind = kind(object, list);
        if (kind.endsWith("List") && object.path("items").isArray()) {
            object.path("items").forEach(item -> collectClasses(item, object));
        } else if (isPodClass(apiVersion(object, list), kind)) {
            manifests.add(new Manifest.PodClass(source, kind, nameOf(object), object));
        }
    }

    /** Returns the pods of an object whose kind is not built in. The object may contain any number of templates. */
    private List<Manifest> custom(JsonNode object, String kind) {
        List<Manifest> pods = new ArrayList<>();
        for (ManifestNestedTemplates.FoundTemplate found : ManifestNestedTemplates.in(object)) {
            pods.add(new Manifest.ManifestPods(
                    source,
                    kind,
                    nameOf(object),
                    namespaceOf(object),
                    found.path(),
                    found.copies(),
                    ManifestPod.of(found.template()),
                    List.of()));
        }
        return pods.isEmpty() ? List.of(new Manifest.Other(source, title(kind, nameOf(object)))) : pods;
    }

    private static String title(String kind, String name) {
        return ((kind.isEmpty() ? "An object without a kind" : kind) + " " + name).strip();
    }

    private static @Nullable String namespaceOf(JsonNode object) {
        String namespace = textOf(object.path("metadata"), "namespace");
        return namespace.isEmpty() ? null : namespace;
    }

    private static String kind(JsonNode object, @Nullable JsonNode list) {
        String kind = textOf(object, "kind");
        if (!kind.isEmpty() || list == null) {
            return kind;
        }
        String listKind = textOf(list, "kind");
        return listKind.substring(0, listKind.length() - "List".length());
    }

    private static String apiVersion(JsonNode object, @Nullable JsonNode list) {
        String apiVersion = textOf(object, "apiVersion");
        return apiVersion.isEmpty() && list != null ? textOf(list, "apiVersion") : apiVersion;
    }

    private Manifest.ManifestPods pods(JsonNode object, String kind, ManifestPodTemplates templates)
            throws UserProblem {
        JsonNode template = templates.template(object);
        if (!template.isObject()) {
            throw new UserProblem(source + ": " + kind + " " + nameOf(object) + " has no " + templates.place());
        }
        return new Manifest.ManifestPods(
                source,
                kind,
                nameOf(object),
                namespaceOf(object),
                /* path= */ "",
                templates.copies(object),
                ManifestPod.of(template),
                List.of());
    }

    private void review(byte[] bytes) throws UserProblem {
        try {
            manifests.add(new Manifest.Review(source, new ReviewDecoder().decode(bytes)));
        } catch (NotAReviewException refused) {
            throw new UserProblem(source + ": " + refused.sentence(), refused);
        }
    }

    private static boolean isReview(JsonNode object) {
        return textOf(object, "kind").equals("AdmissionReview");
    }

    private static String nameOf(JsonNode object) {
        String name = textOf(object.path("metadata"), "name");
        String generateName = textOf(object.path("metadata"), "generateName");
        return name.isEmpty() && !generateName.isEmpty() ? generateName + "*" : name;
    }

    private static String textOf(JsonNode object, String field) {
        return object.path(field).asText("");
    }
}
