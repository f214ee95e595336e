package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the pod templates in a custom resource of any kind: the objects with {@code spec.containers} whose key is
 * {@code template} or ends so, such as {@code podTemplate} and {@code workerTemplate}. RayCluster, RayJob, the training
 * operator's jobs, Notebook, LeaderWorkerSet, JobSet and the jobs of Volcano have theirs there.
 */
final class NestedTemplates {

    /** A resource with more is not one that a person wrote; the search ends there. */
    static final int MOST = 100;

    /** Templates stand at most some ten levels deep. The API server allows far more. */
    private static final int DEEPEST = 32;

    /**
     * One template.
     *
     * @param path of the template in messages, for example {@code spec.workerGroupSpecs[0].template}
     * @param copies how many pods its surroundings say that it makes at once
     */
    record FoundTemplate(String path, int copies, JsonNode template) {}

    private final List<FoundTemplate> found = new ArrayList<>();

    private NestedTemplates() {}

    /** In the order of the object; at most {@link #MOST}. */
    static List<FoundTemplate> in(JsonNode object) {
        NestedTemplates search = new NestedTemplates();
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
                add(new FoundTemplate(here, PodTemplates.atOnce(parent), member.getValue()));
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
