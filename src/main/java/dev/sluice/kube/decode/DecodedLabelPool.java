package dev.sluice.kube.decode;

import dev.sluice.cluster.Labels;
import dev.sluice.cluster.NodeLabelKeys;
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
 * Creates the label objects of nodes, which share keys and values in memory. A key is common if it has few different
 * values in the cluster. Nodes with the same values for all common keys share one list of these values. Keys such as
 * the hostname or the instance ID are not common, because almost every node has its own value. To find the common keys,
 * the pool counts the different values of each key. This class is not thread-safe.
 */
final class DecodedLabelPool {

    /**
     * The maximum number of different values of a common key. The limit bounds the number of shared lists, because each
     * combination of common values needs its own list. Labels for architectures, zones, products and drivers stay below
     * the limit.
     */
    private static final int MAX_COMMON_VALUES = 16;

    /**
     * The maximum number of keys whose values are counted. Clusters have a few hundred keys. The limit bounds the
     * memory for keys that no node has any more.
     */
    private static final int MAX_KEYS = 1_024;

    private final DecodedValuePool internPool;
    private final LabelValueCache valueCache = new LabelValueCache();
    private final Map<String, Set<String>> valuesByKey = new HashMap<>();

    DecodedLabelPool(DecodedValuePool internPool) {
        this.internPool = internPool;
    }

    /**
     * Creates the labels of one node. A value that equals the name of the node, such as the hostname, is the same
     * string object as the name.
     */
    Labels labels(Map<String, String> read, String nodeName) {
        List<String> commonKeys = new ArrayList<>();
        List<String> commonValues = new ArrayList<>();
        List<String> ownKeys = new ArrayList<>();
        List<String> ownValues = new ArrayList<>();
        // The keys are sorted, so that nodes with the same keys share one NodeLabelKeys. Keys in a different order are
        // not equal.
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
                internPool.intern(new NodeLabelKeys(commonKeys)),
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
     * A pool of recently used strings with a fixed number of slots. The hash of a string selects its slot. A new string
     * replaces the string that was in the slot before. This class is not thread-safe.
     */
    static final class LabelValueCache {

        /**
         * The number of slots, a power of two. It is enough for the racks, subnets or instance groups of several ten
         * thousand nodes.
         */
        private static final int SLOTS = 4_096;

        /**
         * The maximum length of a string that is interned, in characters. Label values have at most 63 characters, and
         * longer strings could take much memory.
         */
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
