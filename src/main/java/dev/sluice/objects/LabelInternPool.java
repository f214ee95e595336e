package dev.sluice.objects;

import dev.sluice.json.JsonCursor;
import dev.sluice.node.LabelKeys;
import dev.sluice.node.Labels;
import dev.sluice.podspec.InternPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the labels of nodes so that each node holds little more than what no other has. The values of keys that have
 * few are one list for all nodes that agree in them; hostnames, instances and racks would make such a list for each
 * node. Which keys these are it learns from what it reads. Has one owner.
 */
final class LabelInternPool {

    /** Architectures, zones, products and drivers stay below; every combination that nodes have is a list. */
    private static final int MAX_COMMON_VALUES = 16;

    /** Clusters have some hundred; this bounds what keys that are long gone can hold. */
    private static final int MAX_KEYS = 1_024;

    private final InternPool internPool;
    private final LabelValueCache valueCache = new LabelValueCache();
    /** The values of each key, as long as they are few. */
    private final Map<String, Set<String>> valuesByKey = new HashMap<>();

    LabelInternPool(InternPool internPool) {
        this.internPool = internPool;
    }

    /** Where a label repeats the name of the node, as hostnames do, it is the same string. */
    Labels labels(Map<String, String> read, String nodeName) {
        List<String> commonKeys = new ArrayList<>();
        List<String> commonValues = new ArrayList<>();
        List<String> ownKeys = new ArrayList<>();
        List<String> ownValues = new ArrayList<>();
        // Sorted, because the same keys in another order would be other keys.
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
}
