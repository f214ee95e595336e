package dev.sluice.kube.decode;

import dev.sluice.cluster.LabelKeys;
import dev.sluice.cluster.Labels;
import dev.sluice.json.JsonCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates the labels of nodes so that nodes share keys and common values. Values of keys with few values are one list
 * for all nodes that have the same; hostnames, instances and racks would make a list for each node. Which keys these
 * are is learnt from the nodes. Has one owner.
 */
final class LabelInternPool {

    /** Architectures, zones, products and drivers have fewer values; each combination of them is a list. */
    private static final int MAX_COMMON_VALUES = 16;

    /** Clusters have some hundred keys; the limit bounds the memory of keys that no node has any more. */
    private static final int MAX_KEYS = 1_024;

    private final InternPool internPool;
    private final LabelValueCache valueCache = new LabelValueCache();
    private final Map<String, Set<String>> valuesByKey = new HashMap<>();

    LabelInternPool(InternPool internPool) {
        this.internPool = internPool;
    }

    /** A value that repeats the name of the node, such as the hostname, is the same string. */
    Labels labels(Map<String, String> read, String nodeName) {
        List<String> commonKeys = new ArrayList<>();
        List<String> commonValues = new ArrayList<>();
        List<String> ownKeys = new ArrayList<>();
        List<String> ownValues = new ArrayList<>();
        // LabelKeys in another order are not equal.
        new TreeMap<>(read).forEach((key, value) -> {
            if (isCommon(key, value)) {
                commonKeys.add(internPool.intern(key));
                commonValues.add(internPool.intern(value));
            } else {
                ownKeys.add(internPool.intern(key));
                ownValues.add(value.equals(nodeName) ? nodeName : valueCache.intern(value));
            }
        });
        commonKeys.addAll(ownKeys);
        return new Labels(
                internPool.intern(new LabelKeys(commonKeys)),
                internPool.intern(List.copyOf(commonValues)),
                ownValues.toArray(new String[0]));
    }

    private boolean isCommon(String key, String value) {
        if (key.length() > JsonCursor.LONGEST || value.length() > JsonCursor.LONGEST) {
            return false;
        }
        if (valuesByKey.size() >= MAX_KEYS) {
            valuesByKey.clear();
        }
        Set<String> values = valuesByKey.computeIfAbsent(key, _ -> new HashSet<>());
        if (values.size() <= MAX_COMMON_VALUES) {
            values.add(value);
        }
        return values.size() <= MAX_COMMON_VALUES;
    }

    /**
     * Interns strings that were seen recently. Unlike an {@link InternPool} it keeps a fixed number of them: each
     * replaces another. Has one owner.
     */
    static final class LabelValueCache {

        /** A power of two; enough for the racks, subnets or instance groups of some ten thousand nodes. */
        private static final int SLOTS = 4_096;

        /** Label values have 63 characters at most; longer strings could take much memory. */
        private static final int MAX_LENGTH = 63;

        private final @Nullable String[] cached = new String[SLOTS];

        String intern(String text) {
            if (text.length() > MAX_LENGTH) {
                return text;
            }
            int hash = text.hashCode();
            int place = (hash ^ hash >>> 16) & (SLOTS - 1);
            String there = cached[place];
            if (there != null && there.equals(text)) {
                return there;
            }
            cached[place] = text;
            return text;
        }
    }
}
