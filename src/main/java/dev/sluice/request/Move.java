package dev.sluice.request;

import dev.sluice.quantity.ResourceName;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/** All containers that asked for one resource are given another. */
public record Move(ResourceName asked, ResourceName given) {

    /** As the fallback annotation has it, for example {@code 2g.20gb->1g.10gb}. */
    public static String annotation(List<Move> moves) {
        StringJoiner text = new StringJoiner(", ");
        for (Move move : moves) {
            text.add(move.asked.shortName() + "->" + move.given.shortName());
        }
        return text.toString();
    }

    /** What stands in for each resource. */
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
