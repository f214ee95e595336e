package dev.sluice.ledger.placement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Distinguishes the labels that identify single nodes (hostname, instance id, a timestamp) from those that many nodes
 * share, so that nodes can be grouped by the latter. The {@link NodeLedger} owns it.
 */
final class LabelCensus {

    /**
     * A key with more values than this identifies nodes. Zones, products and pools have far fewer; and counting stops
     * here, so that the census stays small.
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

    /** The keys of labels that identify nodes. The set is immutable, and replaced when one more key is found. */
    Set<String> namingKeys() {
        return namingKeys;
    }
}
