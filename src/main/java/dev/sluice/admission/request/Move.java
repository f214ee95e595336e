package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/** A substitution: all containers that asked for one resource are given another. */
public record Move(ResourceName asked, ResourceName given) {

    /** The text of the fallback annotation, for example {@code 2g.20gb->1g.10gb}. */
    public static String annotation(List<Move> moves) {
        StringJoiner text = new StringJoiner(", ");
        for (Move move : moves) {
            text.add(move.asked.shortName() + "->" + move.given.shortName());
        }
        return text.toString();
    }

    /** The substitute of each resource; without a move, the resource itself. */
    public static UnaryOperator<ResourceName> given(List<Move> moves) {
        return name -> {
            for (Move move : moves) {
                if (move.asked.equals(name)) {
                    return move.given;
                }
            }
            return name;
        };
    }
}
