package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.admission.request.NamespaceLimitRangeRule.LimitScope;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the LimitRanges of a namespace to pods, as the admission plugin LimitRanger does. The plugin fills in
 * defaults before the API server calls the webhook, and checks the limits afterwards. Sluice knows only the limits of
 * extended resources.
 */
final class ManifestLimits {

    private ManifestLimits() {}

    /**
     * Returns the manifest with the defaults of the LimitRanges. For each resource that a default gives to the pod, a
     * sentence is added.
     */
    static Manifest.ManifestPods filled(Manifest.ManifestPods pods, NamespaceLimits limits) {
        if (limits.rules().isEmpty() || pods.isFilled()) {
            return pods;
        }
        ObjectNode pod = pods.pod().deepCopy();
        List<String> sentences = new ArrayList<>(pods.notFilled());
        for (NamespaceLimitRangeRule rule : limits.rules()) {
            if (fill(pod, rule) && isSomething(rule)) {
                sentences.add("A LimitRange of the namespace gives " + rule.resource()
                        + " to each container that does not name it, before Sluice is asked.");
            }
        }
        return pods.with(pod, sentences);
    }

    /**
     * Returns the manifest with a sentence about each resource request that LimitRanger refuses. LimitRanger checks the
     * pod after Sluice has decided.
     */
    static Manifest.ManifestPods judged(
            Manifest.ManifestPods pods, PodRequest pod, VerdictTrace trace, NamespaceLimits limits) {
        if (limits.rules().isEmpty() || !(trace.verdict() instanceof Verdict.Allowed allowed)) {
            return pods;
        }
        List<String> sentences = new ArrayList<>(pods.notFilled());
        for (VerdictTrace.AskedResource asked : trace.asked()) {
            boolean moved = allowed.moves().stream()
                    .anyMatch(move -> move.asked().equals(asked.resource())
                            || move.given().equals(asked.resource()));
            Optional<NamespaceLimitRangeRule> rule = moved ? Optional.empty() : limits.refusing(pod, asked.resource());
            rule.ifPresent(found -> sentences.add(refusal(found)));
        }
        return pods.with(pods.pod(), sentences);
    }

    /**
     * Returns true if the rule has a default other than 0. A default of 0 gives the pod nothing, so no sentence is
     * written about it.
     */
    private static boolean isSomething(NamespaceLimitRangeRule rule) {
        return (rule.limit() != null && !rule.limit().isZero())
                || (rule.request() != null && !rule.request().isZero());
    }

    private static String refusal(NamespaceLimitRangeRule rule) {
        List<String> bounds = new ArrayList<>();
        if (rule.min() != null) {
            bounds.add("at least " + rule.min().text());
        }
        if (rule.max() != null) {
            bounds.add("at most " + rule.max().text());
        }
        return "The API server refuses this pod: a LimitRange of the namespace rules out how much " + rule.resource()
                + " it asks for"
                + (bounds.isEmpty()
                        ? ""
                        : " (" + String.join(", ", bounds)
                                + (rule.scope() == LimitScope.POD ? " in a pod)" : " in a container)"))
                + ".";
    }

    private static boolean fill(ObjectNode pod, NamespaceLimitRangeRule rule) {
        boolean filled = false;
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                if (container.get("resources") instanceof ObjectNode resources) {
                    // Both calls must run. The operator || on the calls would skip the second one if the first one
                    // returns true.
                    boolean limit = put(resources, "limits", rule.resource(), rule.limit());
                    boolean request = put(resources, "requests", rule.resource(), rule.request());
                    filled |= limit || request;
                }
            }
        }
        return filled;
    }

    private static boolean put(ObjectNode resources, String map, ResourceName name, @Nullable Quantity value) {
        if (value == null || resources.path(map).has(name.value())) {
            return false;
        }
        (resources.get(map) instanceof ObjectNode given ? given : resources.putObject(map))
                .put(name.value(), value.text());
        return true;
    }
}
