package dev.sluice.kube.decode;

/**
 * The path of a field for error messages. The two parts are joined only when an error message needs the path. Almost
 * all values are valid, and joining a path for each value would slow down every review and list.
 */
record DecodedFieldPath(Object begin, Object end) {

    /** Returns the path of an element of a list, such as {@code spec.containers[0]}. */
    static DecodedFieldPath element(String list, int index) {
        return new DecodedFieldPath(new DecodedFieldPath(list, "["), new DecodedFieldPath(index, "]"));
    }

    @Override
    public String toString() {
        return begin.toString() + end;
    }
}
