package dev.sluice.kube.facts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the newest version of each object. If two have the same name, the one with the higher resourceVersion is kept;
 * without a difference, the one that was added later.
 */
final class Newest<T> {

    private static final int MOST_DIGITS = 18;

    /**
     * The key of an object.
     *
     * @param namespace the namespace; empty for an object of the whole cluster
     */
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
