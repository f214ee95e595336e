package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.FallbackMove;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.Pod;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Restores the request of a pod that Sluice has changed. The annotation of the pod lists what was exchanged. The
 * quantity is that of the given resource, because an exchange keeps it.
 */
final class OriginalPod {

    private static final int MOST_MOVES = 256;

    private OriginalPod() {}

    /**
     * Returns a copy of the pod as its author wrote it, without the annotations of Sluice. Returns empty if the
     * annotation does not tell what was asked for: two exchanges have the same result.
     */
    static Optional<ObjectNode> of(ObjectNode stored) {
        ObjectNode pod = stored.deepCopy();
        JsonNode annotations = pod.path("metadata").path("annotations");
        String fallback = annotations.path(PodRequestAnnotations.FALLBACK).asText();
        List<FallbackMove> moves = fallback.isEmpty() ? List.of() : FallbackMove.parse(fallback, MOST_MOVES);
        if (moves.stream().map(FallbackMove::given).distinct().count() < moves.size()) {
            return Optional.empty();
        }
        if (annotations instanceof ObjectNode written) {
            written.remove(PodRequestAnnotations.OF_A_CHANGE);
            written.remove(Pod.STAMP);
        }
        Stream.of("containers", "initContainers")
                .flatMap(list -> pod.path("spec").path(list).valueStream())
                .flatMap(container -> Stream.of("limits", "requests")
                        .map(map -> container.path("resources").path(map)))
                .forEach(map -> moves.forEach(move -> undo(move, map)));
        return Optional.of(pod);
    }

    /** Gives the quantity of the given resource back to the one that was asked for, in limits or requests. */
    private static void undo(FallbackMove move, JsonNode map) {
        String given = move.given().value();
        if (map instanceof ObjectNode quantities && isSet(quantities.path(given))) {
            if (!isSet(quantities.path(move.asked().value()))) {
                quantities.set(move.asked().value(), quantities.get(given));
                quantities.remove(given);
            }
        }
    }

    private static boolean isSet(JsonNode quantity) {
        return !quantity.isMissingNode() && !quantity.asText().equals("0");
    }
}
