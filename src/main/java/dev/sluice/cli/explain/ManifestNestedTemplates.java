package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the pod templates in a custom resource of any kind. A pod template is an object with {@code spec.containers}
 * whose key is {@code template} or ends with it, such as {@code podTemplate} and {@code workerTemplate}. This covers
 * RayCluster, RayJob, the jobs of the training operator, Notebook, LeaderWorkerSet, JobSet and the jobs of Volcano.
 */
final class ManifestNestedTemplates {

    /** The maximum number of templates that are found. A resource that a person has written has fewer templates. */
    static final int MOST = 100;

    /**
     * The maximum nesting depth that is searched. Known templates are at most about ten levels deep, although the API
     * server allows many more levels.
     */
    private static final int DEEPEST = 32;

    /**
     * A pod template in a custom resource.
     *
     * @param path the path of the template for messages, for example {@code spec.workerGroupSpecs[0].template}
     * @param copies the number of pods that are created at once, according to the fields next to the template
     */
    record FoundTemplate(String path, int copies, JsonNode template) {}

    private final List<FoundTemplate> found = new ArrayList<>();

    private ManifestNestedTemplates() {}

    /** Returns the templates in the order of the object, at most {@link #MOST}. */
    static List<FoundTemplate> in(JsonNode object) {
        ManifestNestedTemplates search = new ManifestNestedTemplates();
        search.members(object, "", 0);
        return List.copyOf(search.found);
    }

    private void members(JsonNode parent, String path, int depth) {
        if (depth == DEEPEST || found.size() == MOST) {
            return;
        }
        parent.properties().forEach(member -> {
            String key = member.getKey();
            String here = path.isEmpty() ? key : path + "." + key;
            if (isTemplate(key, member.getValue())) {
                add(new FoundTemplate(here, ManifestPodTemplates.atOnce(parent), member.getValue()));
            } else {
                value(member.getValue(), here, depth + 1);
            }
        });
    }

    private void value(JsonNode value, String path, int depth) {
        for (int i = 0; i < value.size() && value.isArray(); i++) {
            value(value.get(i), path + "[" + i + "]", depth + 1);
        }
        if (value.isObject()) {
            members(value, path, depth);
        }
    }

    private void add(FoundTemplate template) {
        if (found.size() < MOST) {
            found.add(template);
        }
    }

    private static boolean isTemplate(String key, JsonNode value) {
        return key.toLowerCase(Locale.ROOT).endsWith("template")
                && value.path("spec").path("containers").isArray();
    }
}
