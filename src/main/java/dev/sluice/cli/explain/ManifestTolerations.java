package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.DecisionExplanation.AlikeNodes;
import dev.sluice.admission.DecisionExplanation.NodeAnswer;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** The tolerations that a pod has when the API server calls the webhook, although no manifest contains them. */
final class ManifestTolerations {

    /**
     * A label that every node of GKE has. The API servers of GKE run the admission plugin ExtendedResourceToleration.
     */
    private static final String NODE_OF_GKE = "cloud.google.com/gke-nodepool";

    /** The taints with the effect NoSchedule that all pods of DaemonSets tolerate. */
    private static final List<String> OF_DAEMON_SETS =
            List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

    private ManifestTolerations() {}

    /**
     * Adds the tolerations that the controller of DaemonSets adds to each pod ({@code AddOrUpdateDaemonPodTolerations}
     * in pkg/controller/daemon/util).
     */
    static void addOfDaemonSet(ObjectNode spec) {
        ArrayNode all = tolerations(spec);
        for (String taint : List.of("not-ready", "unreachable")) {
            add(all, "node.kubernetes.io/" + taint, "NoExecute");
        }
        for (String taint : OF_DAEMON_SETS) {
            add(all, "node.kubernetes.io/" + taint, "NoSchedule");
        }
        if (spec.path("hostNetwork").asBoolean()) {
            add(all, "node.kubernetes.io/network-unavailable", "NoSchedule");
        }
    }

    /**
     * Returns the manifest with the tolerations that the admission plugin ExtendedResourceToleration adds: one for each
     * extended resource of the pod. Returns the manifest unchanged if no node shows that the API server runs the
     * plugin.
     */
    static Manifest.ManifestPods filled(Manifest.ManifestPods pods, ClusterSnapshot cluster) {
        NavigableSet<String> extended = extended(pods.pod());
        if (extended.isEmpty()
                || pods.isFilled()
                || cluster.nodesByName().stream()
                        .noneMatch(node -> node.labels().containsKey(NODE_OF_GKE))) {
            return pods;
        }
        ObjectNode pod = pods.pod().deepCopy();
        ArrayNode all = tolerations(pod.withObject("/spec"));
        extended.forEach(name -> add(all, name, "NoSchedule"));
        return pods.with(pod);
    }

    /**
     * Returns a sentence if the pod does not tolerate a taint of a node, but would tolerate it with the admission
     * plugin ExtendedResourceToleration. The sentence says that the explanation does not consider this plugin. Returns
     * empty otherwise.
     */
    static Optional<String> unfilled(DecisionExplanation explanation) {
        return explanation.nodes().values().stream()
                .flatMap(List::stream)
                .map(AlikeNodes::answer)
                .filter(NodeAnswer.NodeRefuses.class::isInstance)
                .map(answer -> ((NodeAnswer.NodeRefuses) answer).refusal())
                .filter(PodNodeMismatch.Untolerated.class::isInstance)
                .map(refusal -> ((PodNodeMismatch.Untolerated) refusal).taint())
                .filter(taint -> taint.effect() == Taint.Effect.NO_SCHEDULE
                        && explanation.trace().asked().stream()
                                .anyMatch(asked -> asked.resource().value().equals(taint.key())))
                .findFirst()
                .map(taint ->
                        "If the API server runs the admission plugin ExtendedResourceToleration, the pod tolerates"
                                + " the taint " + taint.key()
                                + " before Sluice is asked; this is the answer without it.");
    }

    /**
     * Returns the extended resources sorted by name. The admission plugin {@code ExtendedResourceToleration} adds
     * tolerations in this order.
     */
    private static NavigableSet<String> extended(ObjectNode pod) {
        NavigableSet<String> names = new TreeSet<>();
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                container.path("resources").path("requests").fieldNames().forEachRemaining(names::add);
            }
        }
        names.removeIf(name -> !new ResourceName(name).isExtended());
        return names;
    }

    /** Returns the tolerations of a pod. If it has none, the list is added to its spec. */
    static ArrayNode tolerations(ObjectNode spec) {
        return spec.get("tolerations") instanceof ArrayNode some ? some : spec.putArray("tolerations");
    }

    private static void add(ArrayNode all, String key, String effect) {
        all.addObject().put("key", key).put("operator", "Exists").put("effect", effect);
    }
}
