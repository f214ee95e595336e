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
        return new Labels(new LabelKeys(of.keySet()), of.values().toArray(new String[0]));
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
            Labels labels = labels(expected);
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
        LabelKeys keys = new LabelKeys(List.of("zone", "pool"));
        assertThat(new Labels(keys, "a", "x"))
                .isEqualTo(new Labels(keys, "a", "x"))
                .isNotEqualTo(new Labels(keys, "a", "y"));
        assertThat(new Labels(new LabelKeys(List.of("pool", "zone")), "x", "a")).isEqualTo(new Labels(keys, "a", "x"));
        assertThat(labels(Map.of("zone", "a"))).isNotEqualTo(new Labels(keys, "a", "x"));
        assertThat(keys).isEqualTo(new LabelKeys(List.of("zone", "pool"))).isNotEqualTo(new LabelKeys(List.of("zone")));
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
        LabelKeys keys = new LabelKeys(List.of("zone", "pool"));
        assertThatThrownBy(() -> new Labels(keys, "a")).isInstanceOf(IllegalArgumentException.class);
    }
}
