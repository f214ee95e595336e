package dev.sluice.podspec;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Names of which nothing must be known but whether they were there: eight bytes for each, where a map would take a
 * hundred. Two names have the same hash with a chance of one in 2<sup>64</sup>, and nobody outside can know which two.
 */
final class NameHashes {

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
            // By a half and not by two, because what is held while it grows is what counts.
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

    /** Some name was added twice. */
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
