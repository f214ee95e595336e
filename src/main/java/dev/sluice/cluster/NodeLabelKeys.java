package dev.sluice.cluster;

import dev.sluice.text.TextWeight;
import java.util.Arrays;
import java.util.Collection;

/**
 * The keys of labels in a fixed order, with a hash index. The nodes of a pool have the same keys, so they share one
 * object.
 */
public final class NodeLabelKeys {

    private final String[] keys;
    /**
     * The hash table with open addressing and linear probing. A slot contains the position of a key plus one, or 0 if
     * it is empty.
     */
    private final short[] table;

    private final int hash;

    public NodeLabelKeys(Collection<String> distinct) {
        this.keys = distinct.toArray(new String[0]);
        this.hash = Arrays.hashCode(keys);
        // The table has four times as many slots as keys, so most searches end at the first slot.
        this.table = new short[Integer.highestOneBit(4 * keys.length + 1) << 1];
        for (int i = 0; i < keys.length; i++) {
            int at = home(keys[i]);
            while (table[at] != 0) {
                at = next(at);
            }
            table[at] = (short) (i + 1);
        }
    }

    int size() {
        return keys.length;
    }

    /** Returns the approximate memory in bytes. */
    public long weight() {
        return TextWeight.of(keys) + 2L * table.length;
    }

    String at(int place) {
        return keys[place];
    }

    /** Returns the position of the key. Returns −1 if there is no such key. */
    int placeOf(Object key) {
        for (int at = home(key); table[at] != 0; at = next(at)) {
            int place = table[at] - 1;
            if (keys[place].equals(key)) {
                return place;
            }
        }
        return -1;
    }

    private int home(Object key) {
        int mixed = key.hashCode() * 0x9E3779B9;
        return (mixed >>> 16) & (table.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (table.length - 1);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof NodeLabelKeys that && Arrays.equals(keys, that.keys));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
