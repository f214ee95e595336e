package dev.sluice.kube.facts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects by their names. Of two with one name the one with the higher resourceVersion counts, else the later one. */
final class Newest<T> {

    private static final int MOST_DIGITS = 18;

    /** Names an object; the namespace is empty for one of the cluster. */
    record ItemKey(String kind, String namespace, String name) {}

    private record Versioned<T>(long version, T value) {}

    private final Map<ItemKey, Versioned<T>> values = new LinkedHashMap<>();

    void put(ItemKey key, String version, T value) {
        keepNewer(key, new Versioned<>(number(version), value));
    }

    private void keepNewer(ItemKey key, Versioned<T> value) {
        values.merge(key, value, (one, other) -> one.version() > other.version() ? one : other);
    }

    void putAll(Newest<T> others) {
        others.values.forEach(this::keepNewer);
    }

    private static long number(String version) {
        boolean number = !version.isEmpty()
                && version.length() <= MOST_DIGITS
                && version.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(version) : 0;
    }

    List<T> values() {
        return values.values().stream().map(Versioned::value).toList();
    }
}
