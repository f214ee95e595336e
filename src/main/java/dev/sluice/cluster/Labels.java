package dev.sluice.cluster;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Labels in one array beside keys that others share: a table of its own for each of 100,000 nodes takes four times as
 * much as all else that is known of a node. Immutable.
 */
public final class Labels extends AbstractMap<String, String> {

    private final LabelKeys keys;
    private final String[] values;

    /** {@code values} in the order of the keys. */
    public Labels(LabelKeys keys, String... values) {
        if (values.length != keys.size()) {
            throw new IllegalArgumentException(values.length + " values for " + keys.size() + " keys");
        }
        this.keys = keys;
        this.values = values.clone();
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key != null && keys.placeOf(key) >= 0;
    }

    @Override
    public @Nullable String get(@Nullable Object key) {
        int place = key == null ? -1 : keys.placeOf(key);
        return place < 0 ? null : values[place];
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        return new Entries();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (other instanceof Labels that && keys.equals(that.keys)) {
            return Arrays.equals(values, that.values);
        }
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    private final class Entries extends AbstractSet<Map.Entry<String, String>> {

        @Override
        public int size() {
            return values.length;
        }

        @Override
        public Iterator<Map.Entry<String, String>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < values.length;
                }

                @Override
                public Map.Entry<String, String> next() {
                    if (next == values.length) {
                        throw new NoSuchElementException();
                    }
                    int place = next++;
                    return Map.entry(keys.at(place), values[place]);
                }
            };
        }
    }
}
