package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The RuntimeClasses and PriorityClasses in the files of the user. The API server fills in the fields of a pod from its
 * classes before it calls the webhook (plugin/pkg/admission/runtimeclass and plugin/pkg/admission/priority).
 */
public final class ManifestClasses {

    /** The PriorityClasses that every cluster has, with their priorities. */
    private static final Map<String, Integer> OF_SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    /** The maximum length of a name or label in a sentence. Users can write texts of any length. */
    private static final int LONGEST = 200;

    private final Map<String, JsonNode> runtimes = new HashMap<>();
    private final Map<String, JsonNode> priorities = new HashMap<>();

    private ManifestClasses() {}

    /**
     * Fills in the fields of the pods in the manifests, as the API server does. The RuntimeClasses and PriorityClasses
     * are searched in the same manifests.
     */
    public static List<Manifest> fill(List<Manifest> manifests) {
        return fill(manifests, manifests);
    }

    /**
     * Fills in the fields of the pods in the manifests from their RuntimeClasses and PriorityClasses, as the API server
     * does.
     *
     * @param withClasses the objects in which the classes are searched; other objects in it are ignored
     */
    static List<Manifest> fill(List<Manifest> manifests, List<Manifest> withClasses) {
        ManifestClasses classes = new ManifestClasses();
        withClasses.forEach(manifest -> {
            if (manifest instanceof Manifest.PodClass found) {
                (found.isRuntime() ? classes.runtimes : classes.priorities).put(found.name(), found.object());
            }
        });
        return manifests.stream()
                .map(manifest -> manifest instanceof Manifest.ManifestPods pods ? classes.filled(pods) : manifest)
                .toList();
    }

    private Manifest filled(Manifest.ManifestPods pods) {
        if (pods.isFilled() || !(pods.pod().get("spec") instanceof ObjectNode)) {
            return pods;
        }
        ObjectNode pod = pods.pod().deepCopy();
        ObjectNode spec = pod.withObject("/spec");
        List<String> unfilled = new ArrayList<>();
        runtime(spec).ifPresent(unfilled::add);
        priority(spec);
        if (pods.kind().equals("DaemonSet")) {
            ManifestTolerations.addOfDaemonSet(spec);
        }
        return pods.with(pod, unfilled);
    }

    /**
     * Fills in the fields from the RuntimeClass of the pod. Returns a sentence if the RuntimeClass is not known. Also
     * returns a sentence if the API server refuses the pod, because the node selectors of the pod and of the
     * RuntimeClass contradict each other.
     */
    private Optional<String> runtime(ObjectNode spec) {
        String name = spec.path("runtimeClassName").asText("");
        JsonNode runtime = runtimes.get(name);
        if (runtime == null) {
            return name.isEmpty()
                    ? Optional.empty()
                    : Optional.of("The API server adds what the RuntimeClass " + shown(name)
                            + " says of nodes, taints and overhead before it asks Sluice; this is the answer without"
                            + " it.");
        }
        if (runtime.path("overhead").path("podFixed") instanceof ObjectNode overhead) {
            spec.set("overhead", overhead);
        }
        JsonNode scheduling = runtime.path("scheduling");
        for (JsonNode toleration : scheduling.path("tolerations")) {
            ManifestTolerations.tolerations(spec).add(toleration);
        }
        for (Map.Entry<String, JsonNode> label : scheduling.path("nodeSelector").properties()) {
            ObjectNode all =
                    spec.get("nodeSelector") instanceof ObjectNode some ? some : spec.putObject("nodeSelector");
            JsonNode own = all.get(label.getKey());
            if (own != null && !own.equals(label.getValue())) {
                return Optional.of("The API server refuses this pod: its nodeSelector has "
                        + shown(label.getKey() + "=" + own.asText()) + ", and that of its RuntimeClass " + shown(name)
                        + " has "
                        + shown(label.getKey() + "=" + label.getValue().asText()) + ".");
            }
            all.set(label.getKey(), label.getValue());
        }
        return Optional.empty();
    }

    /**
     * Fills in the priority from the PriorityClass of the pod. A priority in the manifest is kept, so that a user can
     * ask about any priority.
     */
    private void priority(ObjectNode spec) {
        String name = spec.path("priorityClassName").asText("");
        if (spec.has("priority")) {
            return;
        }
        Optional<JsonNode> found = (name.isEmpty() ? byDefault() : Optional.ofNullable(priorities.get(name)))
                .filter(priority -> priority.path("value").isIntegralNumber());
        if (found.isPresent()) {
            spec.set("priority", found.get().path("value"));
            String policy = found.get().path("preemptionPolicy").asText("");
            if (!policy.isEmpty() && !spec.has("preemptionPolicy")) {
                spec.put("preemptionPolicy", policy);
            }
        } else if (OF_SYSTEM.containsKey(name)) {
            spec.put("priority", OF_SYSTEM.get(name));
        }
    }

    /**
     * Returns the default PriorityClass. If there are several, returns the one with the lowest value, as Kubernetes
     * does.
     */
    private Optional<JsonNode> byDefault() {
        return priorities.values().stream()
                .filter(priority -> priority.path("globalDefault").asBoolean())
                .min(Comparator.comparingLong(
                        (JsonNode priority) -> priority.path("value").asLong()));
    }

    private static String shown(String text) {
        return ShortText.of(text, LONGEST);
    }
}
