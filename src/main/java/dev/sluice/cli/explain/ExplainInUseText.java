package dev.sluice.cli.explain;

import dev.sluice.admission.DecisionExplanation.HeldAmount;
import dev.sluice.admission.DecisionExplanation.NodeAnswer;
import dev.sluice.admission.DecisionExplanation.Shortage;
import dev.sluice.admission.ExplanationOccupancy.PodBinding;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cluster.quantity.AmountText;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.NameList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Describes why a node lacks free capacity for a pod now, although the node is large enough. An example is {@code 4 of
 * 4 used by team-a/train-0; cpu 2 of 64 free, 8 needed, used by team-a/train-0 (60), team-b/web (2)}.
 */
final class ExplainInUseText {

    private static final int NAMED_PODS = 3;

    private ExplainInUseText() {}

    static String of(ResourceName candidate, NodeAnswer.InUse inUse) {
        return inUse.shortages().stream()
                .sorted((one, other) -> Boolean.compare(
                        other.resource().equals(candidate), one.resource().equals(candidate)))
                .map(shortage -> shortage.resource().equals(candidate) ? device(shortage) : other(shortage))
                .collect(Collectors.joining("; "));
    }

    /**
     * Returns the Allocatable of a node that is too small, and the amount that the pod needs, for example {@code cpu
     * 32, 64 needed}.
     */
    static String of(NodeAnswer.TooSmall small) {
        return small.lacks().stream()
                .map(lack -> lack.resource() + " " + AmountText.of(lack.resource(), lack.allocatable()) + ", "
                        + AmountText.of(lack.resource(), lack.needed()) + " needed")
                .collect(Collectors.joining("; "));
    }

    private static String device(Shortage shortage) {
        long used = shortage.allocatable() - shortage.available();
        return used + " of " + shortage.allocatable() + " used" + holders(shortage, "", ExplainInUseText::names)
                + (shortage.available() > 0 ? ", " + shortage.needed() + " needed" : "");
    }

    private static String other(Shortage shortage) {
        ResourceName resource = shortage.resource();
        // Each pod uses exactly one unit of the resource {@code pods}, so only the names of the pods are printed.
        Function<List<HeldAmount>, String> named =
                resource.equals(ResourceName.PODS) ? ExplainInUseText::names : pods -> amounts(resource, pods);
        return resource + " " + AmountText.of(resource, shortage.available()) + " of "
                + AmountText.of(resource, shortage.allocatable()) + " free, "
                + AmountText.of(resource, shortage.needed()) + " needed"
                + holders(shortage, ", used", named);
    }

    private static String holders(Shortage shortage, String used, Function<List<HeldAmount>, String> named) {
        List<HeldAmount> bound = those(shortage, PodBinding.BOUND);
        List<HeldAmount> expected = those(shortage, PodBinding.EXPECTED);
        return (bound.isEmpty() ? "" : used + " by " + named.apply(bound))
                + (expected.isEmpty()
                        ? ""
                        : (bound.isEmpty() ? "," : " and") + " reserved for " + named.apply(expected));
    }

    private static List<HeldAmount> those(Shortage shortage, PodBinding state) {
        return shortage.holders().stream()
                .filter(holding -> holding.state() == state)
                .toList();
    }

    private static String names(List<HeldAmount> pods) {
        return NameList.of(pods.stream().map(HeldAmount::pod).toList(), NAMED_PODS);
    }

    private static String amounts(ResourceName resource, List<HeldAmount> pods) {
        String some = pods.stream()
                .limit(NAMED_PODS)
                .map(holding ->
                        holding.pod() + TerminalPage.GLUE + "(" + AmountText.of(resource, holding.amount()) + ")")
                .collect(Collectors.joining(", "));
        int more = pods.size() - NAMED_PODS;
        long rest = pods.stream()
                .skip(NAMED_PODS)
                .map(holding -> Amounts.of(resource, holding.amount()))
                .reduce(Amounts.NONE, Amounts::plus)
                .sum();
        return some
                + (more > 0
                        ? " and " + more + " more" + TerminalPage.GLUE + "(" + AmountText.of(resource, rest) + ")"
                        : "");
    }
}
