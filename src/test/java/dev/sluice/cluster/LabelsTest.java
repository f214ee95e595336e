package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {

    private static Labels labels(Map<String, String> of) {
        return labels(of, 0);
    }

    private static Labels labels(Map<String, String> of, int common) {
        List<String> values = List.copyOf(of.values());
        return new Labels(
                new NodeLabelKeys(of.keySet()),
                values.subList(0, common),
                values.subList(common, values.size()).toArray(new String[0]));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void areAsTheMapTheyWereMadeOf(long seed) {
        Random random = new Random(seed);
        for (int size = 0; size < 70; size++) {
            Map<String, String> expected = new TreeMap<>();
            for (int i = 0; i < size; i++) {
                expected.put("key" + random.nextInt(100), "value" + random.nextInt(3));
            }
            Labels labels = labels(expected, random.nextInt(expected.size() + 1));
            assertThat(labels).isEqualTo(expected).hasSameHashCodeAs(expected).hasSize(expected.size());
            assertThat(expected).isEqualTo(labels);
            for (int i = 0; i < 100; i++) {
                assertThat(labels.get("key" + i)).isEqualTo(expected.get("key" + i));
                assertThat(labels.containsKey("key" + i)).isEqualTo(expected.containsKey("key" + i));
            }
        }
    }

    @Test
    void differWhereAValueDiffersOrAKey() {
        NodeLabelKeys keys = new NodeLabelKeys(List.of("zone", "pool"));
        assertThat(keys)
                .isEqualTo(new NodeLabelKeys(List.of("zone", "pool")))
                .isNotEqualTo(new NodeLabelKeys(List.of("zone")));
        Labels labels = new Labels(keys, List.of("a"), "x");
        assertThat(labels)
                .isEqualTo(new Labels(keys, List.of("a"), "x"))
                .isNotEqualTo(new Labels(keys, List.of("a"), "y"))
                .isNotEqualTo(new Labels(keys, List.of("b"), "x"))
                .isNotEqualTo(labels(Map.of("zone", "a")));
    }

    @Test
    void areTheSameHoweverTheyAreHeld() {
        NodeLabelKeys keys = new NodeLabelKeys(List.of("zone", "pool"));
        assertThat(new Labels(keys, List.of("a"), "x"))
                .isEqualTo(new Labels(keys, List.of(), "a", "x"))
                .isEqualTo(new Labels(keys, List.of("a", "x")))
                .isEqualTo(new Labels(new NodeLabelKeys(List.of("pool", "zone")), List.of("x"), "a"))
                .isNotEqualTo(new Labels(keys, List.of(), "a", "y"));
    }

    @Test
    void doNotChange() {
        Labels labels = labels(Map.of("zone", "a"));
        assertThatThrownBy(() -> labels.put("zone", "b")).isInstanceOf(UnsupportedOperationException.class);
        Iterator<Map.Entry<String, String>> entries = labels.entrySet().iterator();
        Map.Entry<String, String> entry = entries.next();
        assertThatThrownBy(() -> entry.setValue("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(entries::remove).isInstanceOf(UnsupportedOperationException.class);
        assertThat(labels.get("zone")).isEqualTo("a");
    }

    @Test
    void needAValueForEachKey() {
        NodeLabelKeys keys = new NodeLabelKeys(List.of("zone", "pool"));
        assertThatThrownBy(() -> new Labels(keys, List.of(), "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Labels(keys, List.of("a", "x"), "y")).isInstanceOf(IllegalArgumentException.class);
    }
}
