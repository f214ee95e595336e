package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A match condition of a webhook. The API server calls the webhook only for pods for which the CEL expression is true.
 * Only the conditions of Sluice's own manifests are evaluated here. They are recognized by their whole expression and
 * not by their name, because a user may have changed the expression.
 *
 * @param expression the expression, in which each run of white space is a single space
 */
record WebhookCondition(String name, String expression) {

    /**
     * The expression of {@code asks-for-gpu} in the manifests and the chart. The words in upper case stand for values
     * that a user may change.
     */
    private static final Pattern ASKS_FOR_GPU = pattern("has(object.metadata.annotations) && 'ANNOTATION' in"
            + " object.metadata.annotations || [has(object.spec.containers) && object.spec.containers != null ?"
            + " object.spec.containers : [], has(object.spec.initContainers) ? object.spec.initContainers : []]"
            + " .exists(containers, size(containers) > CONTAINERS || containers.exists(c, has(c.resources) &&"
            + " [has(c.resources.limits) ? c.resources.limits : {}, has(c.resources.requests) ? c.resources.requests :"
            + " {}] .exists(resources, size(resources) > RESOURCES || NAMESresources.exists(r, PREFIXES))))");

    /** The expression of {@code is-not-a-mirror-pod}. It is true for each pod that a user or a controller creates. */
    private static final String IS_NO_MIRROR_POD = "!(has(object.metadata.annotations) &&"
            + " 'kubernetes.io/config.mirror' in object.metadata.annotations && has(request.userInfo.username) &&"
            + " request.userInfo.username.startsWith('system:node:') && has(request.userInfo.groups) && 'system:nodes'"
            + " in request.userInfo.groups)";

    private static final Pattern QUOTED = Pattern.compile("'([^']+)'");

    /**
     * The maximum length of an expression that this class tries to recognize. A longer one counts as unknown. The
     * expressions in the manifests have about 1,000 characters.
     */
    private static final int LONGEST_KNOWN = 20_000;

    private static final int LONGEST_SHOWN = 120;
    private static final int MOST_NAMES = 12;

    private static Pattern pattern(String expression) {
        return Pattern.compile(("\\Q" + expression + "\\E")
                .replace("ANNOTATION", "\\E(?<annotation>[^']+)\\Q")
                .replace("CONTAINERS", "\\E(?<containers>[0-9]{1,9})\\Q")
                .replace("RESOURCES", "\\E(?<resources>[0-9]{1,9})\\Q")
                .replace("NAMES", "\\E(?<names>(?:'[^']+' in resources \\|\\| )++)\\Q")
                .replace(
                        "PREFIXES",
                        "\\E(?<prefixes>r\\.startsWith\\('[^']+'\\)(?: \\|\\| r\\.startsWith\\('[^']+'\\))*+)\\Q"));
    }

    static WebhookCondition of(JsonNode json) {
        return new WebhookCondition(
                json.path("name").asText(),
                json.path("expression").asText().strip().replaceAll("\\s+", " "));
    }

    /** Returns true if this error message of the API server says that it could not evaluate the expression. */
    boolean hasFailed(String message) {
        return message.replaceAll("\\s+", " ").contains("expression '" + expression + "' resulted in error");
    }

    private Optional<Matcher> gpuCondition() {
        Matcher found = ASKS_FOR_GPU.matcher(expression);
        return expression.length() <= LONGEST_KNOWN && found.matches() ? Optional.of(found) : Optional.empty();
    }

    /** Returns true if this class can evaluate the condition. */
    boolean isKnown() {
        return expression.equals(IS_NO_MIRROR_POD) || gpuCondition().isPresent();
    }

    /**
     * Returns the reason why the condition is false for a pod, as a clause. Returns empty if the condition is true, or
     * if this class cannot evaluate it.
     */
    Optional<String> unmet(JsonNode pod, String webhook) {
        return gpuCondition()
                .filter(condition -> !asksForGpu(pod, condition))
                .map(condition -> "the condition " + name + " of " + webhook + " is false: the pod asks for none of "
                        + NameList.of(names(condition), MOST_NAMES));
    }

    private static boolean asksForGpu(JsonNode pod, Matcher condition) {
        return pod.at("/metadata/annotations").has(condition.group("annotation"))
                || Stream.of("containers", "initContainers")
                        .map(list -> pod.path("spec").path(list))
                        .anyMatch(list -> list.size() > Integer.parseInt(condition.group("containers"))
                                || list.valueStream().anyMatch(container -> namesGpu(container, condition)));
    }

    private static boolean namesGpu(JsonNode container, Matcher condition) {
        List<String> names = quoted(condition.group("names"));
        List<String> prefixes = quoted(condition.group("prefixes"));
        return Stream.of("limits", "requests")
                .map(map -> container.path("resources").path(map))
                .anyMatch(map -> map.size() > Integer.parseInt(condition.group("resources"))
                        || map.propertyStream()
                                .anyMatch(resource -> names.contains(resource.getKey())
                                        || prefixes.stream().anyMatch(resource.getKey()::startsWith)));
    }

    private static List<String> names(Matcher condition) {
        return Stream.concat(
                        quoted(condition.group("names")).stream(),
                        quoted(condition.group("prefixes")).stream().map(prefix -> prefix + "*"))
                .toList();
    }

    private static List<String> quoted(String text) {
        return QUOTED.matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }

    /** Returns a clause that describes the pods for which the condition is true. It follows the word "pods". */
    String words() {
        return expression.equals(IS_NO_MIRROR_POD)
                ? "that are not mirror pods of a kubelet"
                : gpuCondition()
                        .map(condition -> "that ask for " + NameList.of(names(condition), MOST_NAMES)
                                + " or have the annotation " + condition.group("annotation"))
                        .orElseGet(() -> "that meet the condition " + name + ": " + shortExpression());
    }

    /** Returns the expression. A long expression is cut. */
    String shortExpression() {
        return ShortText.of(expression, LONGEST_SHOWN);
    }
}
