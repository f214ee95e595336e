package dev.sluice.cli.offline;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.StringJoiner;

/**
 * The outcome of a decision for its pod: the GPU resources that the pod gets, or a single word such as {@code denied}.
 * If the pod has to wait for the resources, a word is added to them.
 *
 * @param text such as {@code 2 x 2g.20gb}, {@code denied} or {@code 2g.20gb, waits}
 */
record ReplayedOutcome(String text) {

    static final ReplayedOutcome DENIED = new ReplayedOutcome("denied");

    /** Sluice has changed the pod, and the input does not contain its new resources. */
    static final ReplayedOutcome CHANGED = new ReplayedOutcome("changed");

    static ReplayedOutcome of(Amounts gpus) {
        return new ReplayedOutcome(names(gpus));
    }

    /** Returns the outcome of a pod that waits until the resources that it gets are free. */
    ReplayedOutcome waiting() {
        return new ReplayedOutcome(text + ", waits");
    }

    /**
     * Returns the outcome of a pod that keeps its own request, although no node that it may use offers the requested
     * resources.
     */
    ReplayedOutcome kept() {
        return new ReplayedOutcome(text + ", kept");
    }

    /**
     * Returns true if this outcome gives the pod the same resources as {@code other}, but the pod has to wait for them.
     */
    boolean isPendingOf(ReplayedOutcome other) {
        return equals(other.waiting()) || equals(other.kept());
    }

    /** Returns the GPU resources by their short names, such as {@code 2 x 2g.20gb + gpu}. */
    private static String names(Amounts gpus) {
        StringJoiner text = new StringJoiner(" + ");
        gpus.forEach((name, amount) -> text.add((amount == 1 ? "" : amount + " x ") + name.shortName()));
        return text.length() == 0 ? "no GPU" : text.toString();
    }

    /** Returns the names without quantities, for groups of pods that ask for different quantities. */
    static String namesOnly(Iterable<ResourceName> resources) {
        StringJoiner text = new StringJoiner(" + ");
        resources.forEach(name -> text.add(name.shortName()));
        return text.toString();
    }
}
