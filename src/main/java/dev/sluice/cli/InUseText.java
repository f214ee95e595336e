package dev.sluice.cli;

import dev.sluice.admission.Explanation.Answer;
import dev.sluice.admission.Explanation.Shortage;
import dev.sluice.admission.Occupancy.Occupant;
import dev.sluice.admission.Occupancy.State;
import dev.sluice.cluster.AmountText;
import dev.sluice.cluster.ResourceName;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What keeps a pod from a node that could run it: {@code 4 of 4 used by team-a/train-0; cpu 2 of 64 free, 8 needed}.
 */
final class InUseText {

    private static final int NAMED_PODS = 3;

    private InUseText() {}

    static String of(ResourceName candidate, Answer.InUse inUse) {
        return inUse.shortages().stream()
                .sorted((one, other) -> Boolean.compare(
                        other.resource().equals(candidate), one.resource().equals(candidate)))
                .map(shortage ->
                        shortage.resource().equals(candidate) ? device(shortage, inUse.occupants()) : other(shortage))
                .collect(Collectors.joining("; "));
    }

    private static String device(Shortage shortage, List<Occupant> occupants) {
        long used = shortage.allocatable() - shortage.available();
        String holders = named(occupants, State.BOUND);
        String waiting = named(occupants, State.EXPECTED);
        return used + " of " + shortage.allocatable() + " used"
                + (holders.isEmpty() ? "" : " by " + holders)
                + (waiting.isEmpty() ? "" : (holders.isEmpty() ? "," : " and") + " reserved for " + waiting)
                + (shortage.available() > 0 ? ", " + shortage.needed() + " needed" : "");
    }

    private static String named(List<Occupant> occupants, State state) {
        List<String> pods = occupants.stream()
                .filter(occupant -> occupant.state() == state)
                .map(Occupant::pod)
                .toList();
        String some = pods.stream().limit(NAMED_PODS).collect(Collectors.joining(", "));
        int more = pods.size() - NAMED_PODS;
        return some + (more > 0 ? " and " + more + " more" : "");
    }

    private static String other(Shortage shortage) {
        ResourceName resource = shortage.resource();
        return resource + " " + AmountText.of(resource, shortage.available()) + " of "
                + AmountText.of(resource, shortage.allocatable()) + " free, "
                + AmountText.of(resource, shortage.needed()) + " needed";
    }
}
