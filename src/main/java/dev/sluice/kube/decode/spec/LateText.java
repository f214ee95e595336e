package dev.sluice.kube.decode.spec;

/**
 * Two texts that become one where it is read. It names a value that may turn out to be wrong: nearly all are right, and
 * to join their names for each would be a part of what a review, or a listed pod, costs.
 */
public record LateText(Object begin, Object end) {

    /** As in {@code spec.containers[0]}. */
    public static LateText element(String list, int index) {
        return new LateText(new LateText(list, "["), new LateText(index, "]"));
    }

    @Override
    public String toString() {
        return begin.toString() + end;
    }
}
