package dev.sluice.kube.decode;

/**
 * The path of a field for error messages. The two parts are joined only when an error message needs the path. Almost
 * all values are valid, and joining a path for each value would slow down every review and list.
 */
public record LazyPath(Object begin, Object end) {

    /** Returns the path of an element of a list, such as {@code spec.containers[0]}. */
    public static LazyPath element(String list, int index) {
        return new LazyPath(new LazyPath(list, "["), new LazyPath(index, "]"));
    }

    @Override
    public String toString() {
        return begin.toString() + end;
    }
}
