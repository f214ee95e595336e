package dev.sluice.ledger.placement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the label keys that identify single nodes, such as the hostname, an instance id or a timestamp. To find them,
 * it counts the different values of each key. Nodes are grouped by the labels with all other keys.
 * {@link PlacementNodes} owns it.
 */
final class PlacementLabelCensus {

    /**
     * The maximum number of different values of a label key by which nodes are grouped. A key with more values counts
     * as a key that identifies nodes, and its values are no longer kept. Keys for zones, products and pools have far
     * fewer values.
     */
    static final int MOST_SHARED_VALUES = 64;

    private final Map<String, Map<String, Integer>> nodesByValue = new HashMap<>();
    private Set<String> namingKeys = Set.of();

    void add(Map<String, String> labels) {
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (!namingKeys.contains(label.getKey())) {
                count(label.getKey(), label.getValue());
            }
        }
    }

    private void count(String key, String value) {
        Map<String, Integer> values = nodesByValue.computeIfAbsent(key, _ -> new HashMap<>());
        values.merge(value, 1, Integer::sum);
        if (values.size() > MOST_SHARED_VALUES) {
            nodesByValue.remove(key);
            Set<String> more = new HashSet<>(namingKeys);
            more.add(key);
            namingKeys = Set.copyOf(more);
        }
    }

    void remove(Map<String, String> labels) {
        for (Map.Entry<String, String> label : labels.entrySet()) {
            Map<String, Integer> values = nodesByValue.get(label.getKey());
            if (values != null) {
                values.computeIfPresent(label.getValue(), (_, nodes) -> nodes == 1 ? null : nodes - 1);
            }
        }
    }

    /**
     * Returns the keys of labels that identify nodes. The set is immutable; it is replaced when another key is found.
     */
    Set<String> namingKeys() {
        return namingKeys;
    }
}
