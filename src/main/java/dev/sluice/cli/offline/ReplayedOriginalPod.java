package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.FirstPodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Restores the request of a pod that Sluice has changed. One annotation of the pod lists the replaced resources, and
 * another one contains the original quantities of each container. If the second annotation is missing, a replaced
 * resource gets the quantity of its substitute.
 */
final class ReplayedOriginalPod {

    private static final int MOST_MOVES = 256;

    private ReplayedOriginalPod() {}

    /**
     * Returns a copy of the pod as its author wrote it, without the annotations of Sluice. Returns empty if the
     * original pod is ambiguous. It is ambiguous if the annotation about quantities is missing, and either two
     * resources have the same substitute, or several containers have a substitute, which some of them may have
     * requested themselves.
     */
    static Optional<ObjectNode> of(ObjectNode stored) {
        ObjectNode pod = stored.deepCopy();
        JsonNode annotations = pod.path("metadata").path("annotations");
        String fallback = annotations.path(PodRequestAnnotations.FALLBACK).asText();
        List<PodRequestReplacement> moves =
                fallback.isEmpty() ? List.of() : PodRequestReplacement.parse(fallback, MOST_MOVES);
        Optional<FirstPodRequest> first = FirstPodRequest.parse(
                annotations.path(PodRequestAnnotations.ASKED).asText());
        if (first.isEmpty() && isAmbiguous(moves, pod)) {
            return Optional.empty();
        }
        if (annotations instanceof ObjectNode written) {
            written.remove(PodRequestAnnotations.OF_A_CHANGE);
            written.remove(Pod.STAMP);
        }
        containers(pod)
                .forEach(container -> quantities(container)
                        .forEach(map -> first.ifPresentOrElse(
                                asked -> restore(
                                        moves,
                                        asked.containers()
                                                .getOrDefault(
                                                        container.path("name").asText(), Map.of()),
                                        map),
                                () -> undo(moves, map))));
        return Optional.of(pod);
    }

    private static boolean isAmbiguous(List<PodRequestReplacement> moves, ObjectNode pod) {
        return moves.stream().map(PodRequestReplacement::given).distinct().count() < moves.size()
                || moves.stream()
                        .anyMatch(move -> containers(pod)
                                        .filter(container ->
                                                quantities(container).anyMatch(map -> isSet(move.given(), map)))
                                        .count()
                                > 1);
    }

    private static Stream<JsonNode> containers(ObjectNode pod) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> pod.path("spec").path(list).valueStream());
    }

    /** Returns the limits and the requests of a container. */
    private static Stream<ObjectNode> quantities(JsonNode container) {
        return Stream.of("limits", "requests")
                .map(map -> container.path("resources").path(map))
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast);
    }

    /**
     * Removes the replaced resources and their substitutes from the map. Then adds the quantities that the container
     * originally asked for.
     */
    private static void restore(List<PodRequestReplacement> moves, Map<ResourceName, Long> asked, ObjectNode map) {
        List<ResourceName> exchanged = moves.stream()
                .flatMap(move -> Stream.of(move.asked(), move.given()))
                .distinct()
                .toList();
        if (exchanged.stream().anyMatch(name -> isSet(name, map))) {
            exchanged.forEach(name -> map.remove(name.value()));
            exchanged.stream()
                    .filter(asked::containsKey)
                    .forEach(name -> map.put(name.value(), Long.toString(asked.getOrDefault(name, 0L))));
        }
    }

    /** Moves the quantity of each substitute back to the resource that was asked for. */
    private static void undo(List<PodRequestReplacement> moves, ObjectNode map) {
        // A substitute may also be a resource that was replaced. Therefore the quantities are read from an unchanged
        // copy.
        ObjectNode stored = map.deepCopy();
        moves.stream()
                .filter(move -> isSet(move.given(), stored))
                .forEach(move -> map.remove(move.given().value()));
        moves.stream()
                .filter(move -> isSet(move.given(), stored))
                .forEach(move ->
                        map.set(move.asked().value(), stored.get(move.given().value())));
    }

    private static boolean isSet(ResourceName name, ObjectNode map) {
        return !map.path(name.value()).asText("0").equals("0");
    }
}
