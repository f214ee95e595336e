package dev.sluice.kube.decode;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeLabelKeys;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pool of immutable values in which equal values share one object. It saves memory because most nodes of a cluster
 * have the same label keys, taints and devices. This class is not thread-safe.
 */
public final class DecodedValuePool {

    /**
     * The maximum weight of the pool in bytes, about 2% of the heap. The pool is emptied when it reaches this weight,
     * so values of deleted nodes and pods do not stay in memory.
     */
    public static final long MAX_WEIGHT = 4L * 1024 * 1024;

    /**
     * The maximum weight of a single value in bytes. Larger values are rarely equal to others, and a few of them would
     * fill the pool.
     */
    private static final long MAX_VALUE_WEIGHT = 16 * 1024;

    /** The approximate memory of a map entry and of its value's header, in bytes. */
    private static final long OBJECT_OVERHEAD = 64;

    private final Map<Object, Object> interned = new HashMap<>();
    private long weight;

    /** Returns the approximate memory of the pool in bytes. */
    public long weight() {
        return weight;
    }

    @SuppressWarnings("unchecked") // Equal values have the same type.
    public <T> T intern(T value) {
        long more = OBJECT_OVERHEAD + weightOf(value);
        if (more > MAX_VALUE_WEIGHT) {
            return value;
        }
        Object first = interned.putIfAbsent(value, value);
        if (first != null) {
            return (T) first;
        }
        weight += more;
        if (weight > MAX_WEIGHT) {
            interned.clear();
            weight = 0;
        }
        return value;
    }

    private static long weightOf(Object value) {
        return switch (value) {
            case String text -> text.length();
            case ResourceName name -> name.value().length();
            case Amounts amounts -> amounts.weight();
            case Place.Bound(String node) -> node.length();
            case Place.Unbound(NodeConstraints constraints, String nominated) ->
                constraints.weight() + (nominated == null ? 0 : nominated.length());
            case Taint taint -> taint.key().length() + taint.value().length();
            case NodeLabelKeys keys -> keys.weight();
            case List<?> values -> weightOfAll(values);
            default -> OBJECT_OVERHEAD;
        };
    }

    private static long weightOfAll(List<?> values) {
        long weight = 0;
        for (Object value : values) {
            weight += OBJECT_OVERHEAD + weightOf(value);
        }
        return weight;
    }
}
