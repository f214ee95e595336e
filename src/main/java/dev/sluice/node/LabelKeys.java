package dev.sluice.node;

import dev.sluice.quantity.Weigher;
import java.util.Arrays;
import java.util.Collection;

/**
 * The keys of a set of labels, each with its place among them. Nodes of a pool have the same keys, so that one object
 * serves all of them.
 */
public final class LabelKeys {

    private final String[] keys;
    /** Open addressing with linear probing: a place among the keys plus one, 0 where there is none. */
    private final short[] table;

    private final int hash;

    /** In this order; no key twice. */
    public LabelKeys(Collection<String> distinct) {
        this.keys = distinct.toArray(new String[0]);
        this.hash = Arrays.hashCode(keys);
        // A quarter full, so that most searches end at the first place.
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

    /** About how many bytes it takes, for those who keep it. */
    public long weight() {
        return Weigher.of(keys) + 2L * table.length;
    }

    String at(int place) {
        return keys[place];
    }

    /** −1 for a key that is not among them. */
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
        return this == other || (other instanceof LabelKeys that && Arrays.equals(keys, that.keys));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
