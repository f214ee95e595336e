package dev.sluice.kube.decode;

/**
 * Two texts that become one where it is read. It names a value that may turn out to be wrong: nearly all are right, and
 * to join their names for each would be a part of what a review, or a listed pod, costs.
 */
public record LazyPath(Object begin, Object end) {

    /** As in {@code spec.containers[0]}. */
    public static LazyPath element(String list, int index) {
        return new LazyPath(new LazyPath(list, "["), new LazyPath(index, "]"));
    }

    @Override
    public String toString() {
        return begin.toString() + end;
    }
}
