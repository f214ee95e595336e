package dev.sluice.kube.facts;

import dev.sluice.kube.decode.ObjectMeta;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest version of each object. If an object is added twice, the version with the higher resourceVersion is
 * kept. If their resourceVersions are equal, the version that was added later is kept.
 */
final class NewestFacts<T> {

    /**
     * The key of an object.
     *
     * @param namespace the namespace; empty for an object of the whole cluster
     */
    record ItemKey(String kind, String namespace, String name) implements Comparable<ItemKey> {

        private static final Comparator<ItemKey> ORDER = Comparator.comparing(ItemKey::name)
                .thenComparing(ItemKey::namespace)
                .thenComparing(ItemKey::kind);

        /** Orders the keys for hash maps. A hash map then finds a key quickly even if many keys have the same hash. */
        @Override
        public int compareTo(ItemKey other) {
            return ORDER.compare(this, other);
        }
    }

    private record Versioned<T>(long version, T value) {}

    private final Map<ItemKey, Versioned<T>> values = new LinkedHashMap<>();

    void put(ItemKey key, String version, T value) {
        keepNewer(key, new Versioned<>(ObjectMeta.version(version), value));
    }

    private void keepNewer(ItemKey key, Versioned<T> value) {
        values.merge(key, value, (one, other) -> one.version() > other.version() ? one : other);
    }

    void putAll(NewestFacts<T> others) {
        others.values.forEach(this::keepNewer);
    }

    /**
     * Replaces each value of one kind and namespace by a part of it, or removes the value.
     *
     * @param rest a function that returns the part of a value to keep, or null to keep nothing
     */
    void replace(String kind, String namespace, Function<T, @Nullable T> rest) {
        values.entrySet().removeIf(entry -> {
            ItemKey key = entry.getKey();
            if (!key.namespace().equals(namespace) || !key.kind().equalsIgnoreCase(kind)) {
                return false;
            }
            T kept = rest.apply(entry.getValue().value());
            if (kept != null) {
                entry.setValue(new Versioned<>(entry.getValue().version(), kept));
            }
            return kept == null;
        });
    }

    List<T> values() {
        return values.values().stream().map(Versioned::value).toList();
    }
}
