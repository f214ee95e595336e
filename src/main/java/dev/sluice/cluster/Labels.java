package dev.sluice.cluster;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The labels of a node. Objects of this class are immutable. Many nodes share the keys and the common values, which
 * saves memory: a hash table for each of 100,000 nodes would take four times as much as all other data of the nodes.
 */
public final class Labels extends AbstractMap<String, String> {

    private final NodeLabelKeys keys;
    /** The values of the first keys. Other nodes have the same values. */
    private final List<String> common;
    /** The values of the remaining keys. Only this node has these values. */
    private final String[] own;

    /**
     * Creates labels from values in the order of the keys. The common values come first, then the values of this node
     * only.
     */
    public Labels(NodeLabelKeys keys, List<String> common, String... own) {
        if (common.size() + own.length != keys.size()) {
            throw new IllegalArgumentException(common.size() + own.length + " values for " + keys.size() + " keys");
        }
        this.keys = keys;
        this.common = List.copyOf(common);
        this.own = own.clone();
    }

    private String at(int place) {
        return place < common.size() ? common.get(place) : own[place - common.size()];
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key != null && keys.placeOf(key) >= 0;
    }

    @Override
    public @Nullable String get(@Nullable Object key) {
        int place = key == null ? -1 : keys.placeOf(key);
        return place < 0 ? null : at(place);
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        return new Entries();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (other instanceof Labels that && own.length == that.own.length && keys.equals(that.keys)) {
            return common.equals(that.common) && Arrays.equals(own, that.own);
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
            return keys.size();
        }

        @Override
        public Iterator<Map.Entry<String, String>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < size();
                }

                @Override
                public Map.Entry<String, String> next() {
                    if (next == size()) {
                        throw new NoSuchElementException();
                    }
                    int place = next++;
                    return Map.entry(keys.at(place), at(place));
                }
            };
        }
    }
}
