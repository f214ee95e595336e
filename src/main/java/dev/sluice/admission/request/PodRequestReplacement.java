package dev.sluice.admission.request;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/** The replacement of a resource: all containers that request {@code asked} get {@code given} instead. */
public record PodRequestReplacement(ResourceName asked, ResourceName given) {

    private static final String ARROW = "->";

    /** Returns the annotations that Sluice adds to a pod when it replaces these resources. */
    public static Map<String, String> annotations(PodRequest pod, List<PodRequestReplacement> moves) {
        if (moves.isEmpty()) {
            return Map.of();
        }
        String fallback = annotation(moves);
        return FirstPodRequest.annotation(pod, moves)
                .map(asked -> Map.of(PodRequestAnnotations.FALLBACK, fallback, PodRequestAnnotations.ASKED, asked))
                .orElseGet(() -> Map.of(PodRequestAnnotations.FALLBACK, fallback));
    }

    /** Returns the value of the fallback annotation, for example {@code 2g.20gb->1g.10gb}. */
    public static String annotation(List<PodRequestReplacement> moves) {
        StringJoiner text = new StringJoiner(", ");
        for (PodRequestReplacement move : moves) {
            text.add(move.asked.shortName() + ARROW + move.given.shortName());
        }
        return text.toString();
    }

    /**
     * Parses the value of the fallback annotation. Ignores text that is not a replacement, and all replacements after
     * the first {@code most}.
     */
    public static List<PodRequestReplacement> parse(String annotation, int most) {
        List<PodRequestReplacement> moves = new ArrayList<>(1);
        for (String move : annotation.split(", ", most + 1)) {
            int arrow = move.indexOf(ARROW);
            if (arrow > 0 && moves.size() < most) {
                moves.add(new PodRequestReplacement(
                        ResourceName.ofShort(move.substring(0, arrow)),
                        ResourceName.ofShort(move.substring(arrow + ARROW.length()))));
            }
        }
        return moves;
    }

    /**
     * Returns the constraints that the pod will have after these replacements. Replacements change the tolerations if
     * the admission plugin ExtendedResourceToleration is enabled: the plugin adds a toleration for each extended
     * resource that the pod requests.
     */
    public static NodeConstraints constraints(NodeConstraints asked, List<PodRequestReplacement> moves) {
        NodeConstraints given = asked;
        for (PodRequestReplacement move : moves) {
            given = given.tolerating(move.asked().value(), move.given().value());
        }
        return given;
    }

    /** Returns a function that maps each replaced resource to its replacement, and every other resource to itself. */
    public static UnaryOperator<ResourceName> given(List<PodRequestReplacement> moves) {
        return name -> {
            for (PodRequestReplacement move : moves) {
                if (move.asked.equals(name)) {
                    return move.given;
                }
            }
            return name;
        };
    }
}
