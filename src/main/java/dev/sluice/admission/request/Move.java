package dev.sluice.admission.request;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/** A substitution: all containers that asked for one resource are given another. */
public record Move(ResourceName asked, ResourceName given) {

    private static final String ARROW = "->";

    /** The text of the fallback annotation, for example {@code 2g.20gb->1g.10gb}. */
    public static String annotation(List<Move> moves) {
        StringJoiner text = new StringJoiner(", ");
        for (Move move : moves) {
            text.add(move.asked.shortName() + ARROW + move.given.shortName());
        }
        return text.toString();
    }

    /** The moves of such a text. What is no move in it is left out, and so is what comes after {@code most}. */
    static List<Move> parse(String annotation, int most) {
        List<Move> moves = new ArrayList<>(1);
        for (String move : annotation.split(", ", most + 1)) {
            int arrow = move.indexOf(ARROW);
            if (arrow > 0 && moves.size() < most) {
                moves.add(new Move(
                        ResourceName.ofShort(move.substring(0, arrow)),
                        ResourceName.ofShort(move.substring(arrow + ARROW.length()))));
            }
        }
        return moves;
    }

    /** Where the pod may run after the moves, if a plugin tolerates the taints named after its resources. */
    public static NodeConstraints constraints(NodeConstraints asked, List<Move> moves) {
        NodeConstraints given = asked;
        for (Move move : moves) {
            given = given.tolerating(move.asked().value(), move.given().value());
        }
        return given;
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
