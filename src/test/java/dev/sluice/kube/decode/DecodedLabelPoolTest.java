package dev.sluice.kube.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.Labels;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecodedLabelPoolTest {

    /** More than there may be values of a key that nodes share. */
    private static final int NODES = 200;

    private final DecodedLabelPool pool = new DecodedLabelPool(new DecodedValuePool());

    private Labels labels(int number) {
        return pool.labels(written(number), name(number));
    }

    /** Every text is an object of its own, as it comes from a parser. */
    private static Map<String, String> written(int number) {
        return Map.of(
                "zone",
                "zone-" + number % 3,
                "kubernetes.io/hostname",
                name(number),
                "rack",
                "rack-" + number / 5,
                "arch",
                String.valueOf(new char[] {'a', 'r', 'm'}));
    }

    private static String name(int number) {
        return "n" + number;
    }

    @Test
    void labelsAreAsTheyWereWritten() {
        for (int number = 0; number < NODES; number++) {
            assertThat(labels(number)).isEqualTo(written(number));
        }
    }

    @Test
    void labelsStayTheSameWhenItHasLearntThatAKeyHasManyValues() {
        Labels first = labels(1);
        for (int number = 0; number < NODES; number++) {
            assertThat(labels(number)).hasSize(4);
        }
        assertThat(labels(1)).isEqualTo(first).hasSameHashCodeAs(first).isNotEqualTo(labels(4));
    }

    @Test
    void nodesShareValuesOfKeysThatHaveFewAndOfKeysThatHaveMany() {
        for (int number = 0; number < NODES; number += 5) {
            Labels one = labels(number);
            Labels other = labels(number + 3);
            assertThat(other.get("arch")).isSameAs(one.get("arch"));
            assertThat(other.get("zone")).isSameAs(one.get("zone"));
            assertThat(other.get("rack")).isSameAs(one.get("rack"));
        }
    }

    @Test
    void aHostnameIsTheNamesOwnText() {
        for (int number = 0; number < NODES; number++) {
            assertThat(labels(number).get("arch")).isEqualTo("arm");
        }
        String name = name(7);
        assertThat(pool.labels(written(7), name).get("kubernetes.io/hostname")).isSameAs(name);
    }

    @Test
    void keysWithoutEndDoNoHarm() {
        for (int number = 0; number < 3_000; number++) {
            Map<String, String> written = Map.of("key-" + number, "x", "zone", "zone-" + number % 3);
            assertThat(pool.labels(written, name(number))).isEqualTo(written);
        }
    }
}
