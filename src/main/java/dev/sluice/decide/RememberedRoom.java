package dev.sluice.decide;

import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.HashMap;
import java.util.Map;

/** The room of one moment for one decision, which asks some questions more than once: each is a search of the nodes. */
final class RememberedRoom implements Room {

    private record Question(Amounts need, NodeConstraints constraints) {

        /** The constraints are those of one pod. */
        @Override
        public int hashCode() {
            return need.hashCode();
        }
    }

    private final Room room;
    private final Map<Question, Boolean> answers = new HashMap<>();

    RememberedRoom(Room room) {
        this.room = room;
    }

    @Override
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return answers.computeIfAbsent(
                new Question(need, constraints), question -> room.isFree(question.need(), question.constraints()));
    }

    @Override
    public long freeOf(ResourceName device) {
        return room.freeOf(device);
    }
}
