package dev.sluice.kube.decode;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A set of names that stores only their hashes. It takes 8 bytes for each name, whereas a HashSet takes about 100. Two
 * different names have the same hash with a probability of 2<sup>-64</sup>. The hashes use a random seed, so nobody can
 * choose names that collide.
 */
final class DecodedNameHashes {

    private static final long SEED = ThreadLocalRandom.current().nextLong();
    private static final long MIXER = 0x9E3779B97F4A7C15L;

    private static final long[] NONE = {};

    private long[] hashes = NONE;
    private int size;
    private boolean sorted;

    int size() {
        return size;
    }

    void add(String name) {
        if (size == hashes.length) {
            // The array grows by half its size and not to twice its size, because the old and the new array are in
            // memory at the same time.
            hashes = Arrays.copyOf(hashes, Math.max(64, size + size / 2));
        }
        hashes[size] = hash(name);
        size++;
        sorted = false;
    }

    boolean contains(String name) {
        sort();
        return Arrays.binarySearch(hashes, 0, size, hash(name)) >= 0;
    }

    /** Returns true if any name was added twice. */
    boolean hasDuplicates() {
        sort();
        for (int i = 1; i < size; i++) {
            if (hashes[i] == hashes[i - 1]) {
                return true;
            }
        }
        return false;
    }

    private void sort() {
        if (!sorted) {
            Arrays.sort(hashes, 0, size);
            sorted = true;
        }
    }

    private static long hash(String name) {
        long hash = SEED;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * MIXER;
            hash ^= hash >>> 32;
        }
        return hash;
    }
}
