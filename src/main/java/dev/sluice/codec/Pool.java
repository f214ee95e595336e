package dev.sluice.codec;

import java.util.HashMap;
import java.util.Map;

/**
 * Lets equal immutable values share one object: of 100,000 nodes most have the same label keys, taints and devices. Has
 * one owner.
 */
final class Pool {

    /** Bounds what values of nodes that are long gone can hold; a value met again after that is pooled again. */
    private static final int MOST = 16_384;

    private final Map<Object, Object> known = new HashMap<>();

    @SuppressWarnings("unchecked") // what equals a value of these types is of its type
    <T> T shared(T value) {
        if (known.size() >= MOST) {
            known.clear();
        }
        Object first = known.putIfAbsent(value, value);
        return first == null ? value : (T) first;
    }
}
