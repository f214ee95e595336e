package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What {@code kubectl kustomize} makes of a directory, read by fabric8's models. */
record Manifests(List<HasMetadata> objects) {

    private static final KubernetesSerialization KINDS = new KubernetesSerialization();

    /** cert-manager and the Prometheus Operator. */
    private static final Set<String> OPERATORS = Set.of("cert-manager.io/v1", "monitoring.coreos.com/v1");

    private static final YAMLMapper LENIENT = new YAMLMapper();

    /** Refuses a field that a model does not name; by themselves the models collect such fields in silence. */
    private static final YAMLMapper STRICT = YAMLMapper.builder()
            .annotationIntrospector(new WithoutAnySetters())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static Manifests rendered(String directory) {
        return parsed(kustomize(directory));
    }

    static Manifests parsed(String documents) {
        try (var nodes = LENIENT.readerFor(JsonNode.class).<JsonNode>readValues(documents)) {
            List<HasMetadata> objects = new ArrayList<>();
            while (nodes.hasNext()) {
                objects.add(object(nodes.next()));
            }
            return new Manifests(List.copyOf(objects));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one object of a type. */
    <T extends HasMetadata> T only(Class<T> type) {
        List<T> found = all(type);
        if (found.size() != 1) {
            throw new AssertionError("expected one " + type.getSimpleName() + ", found " + found.size());
        }
        return found.getFirst();
    }

    /** The ConfigMap with the configuration of the gateway. */
    ConfigMap configuration() {
        return all(ConfigMap.class).stream()
                .filter(map -> map.getMetadata().getName().startsWith("gpu-webhook-config"))
                .findFirst()
                .orElseThrow();
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Kind and name of every object, as {@code kubectl} writes them. */
    List<String> names() {
        return objects.stream()
                .map(each -> each.getKind() + "/" + each.getMetadata().getName())
                .toList();
    }

    private static HasMetadata object(JsonNode document) throws IOException {
        String apiVersion = document.path("apiVersion").asText();
        // These kinds are not Kubernetes' own: fabric8 has no model that could know their fields.
        if (OPERATORS.contains(apiVersion)) {
            return LENIENT.treeToValue(document, GenericKubernetesResource.class);
        }
        String kind = document.path("kind").asText();
        Class<?> model = KINDS.getRegisteredKubernetesResource(apiVersion, kind);
        if (model == null) {
            throw new AssertionError("no model for " + apiVersion + " " + kind);
        }
        return (HasMetadata) STRICT.treeToValue(document, model);
    }

    private static String kustomize(String directory) {
        try {
            Process kubectl = new ProcessBuilder("kubectl", "kustomize", directory).start();
            String output = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
            String complaint = new String(kubectl.getErrorStream().readAllBytes(), UTF_8);
            if (kubectl.waitFor() != 0) {
                throw new AssertionError("kubectl kustomize " + directory + " failed: " + complaint);
            }
            return output;
        } catch (IOException e) {
            throw new AssertionError("kubectl must be on the PATH: the manifests are tested as it renders them", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while kubectl rendered " + directory, e);
        }
    }

    private static final class WithoutAnySetters extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }
}
