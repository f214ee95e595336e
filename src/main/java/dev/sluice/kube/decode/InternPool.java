package dev.sluice.kube.decode;

import dev.sluice.cluster.LabelKeys;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Interns immutable values: of 100,000 nodes most have the same label keys, taints and devices. Has one owner. */
public final class InternPool {

    /**
     * About a fiftieth of the process' heap, in bytes. It bounds the memory of values of nodes and pods that are gone:
     * when it is reached, the pool starts empty again.
     */
    public static final long MAX_WEIGHT = 4L * 1024 * 1024;

    /** Larger values are hardly ever equal, and a few of them would push all others out. */
    private static final long MAX_VALUE_WEIGHT = 16 * 1024;

    /** An entry of the map and the header of its value. */
    private static final long OBJECT_OVERHEAD = 64;

    private final Map<Object, Object> interned = new HashMap<>();
    private long weight;

    /** In bytes, approximately. */
    public long weight() {
        return weight;
    }

    @SuppressWarnings("unchecked") // what equals a value of these types is of its type
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
            case LabelKeys keys -> keys.weight();
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
