package dev.sluice.kube.facts;

import java.io.Serial;

/** An object of a list is not what the API server stores. The message says which part, as in "spec is not a map". */
final class MalformedItem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    public MalformedItem(String message) {
        super(message);
    }
}
