package dev.sluice.kube.decode;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a map of resources and quantities. The API server accepts a pod with 200,000 resources of quantity 0. To
 * limit the memory, only the first entries with quantity 0 are kept. For each further entry with quantity 0, only the
 * hash of its name is kept.
 */
final class ResourceListDecoder {

    /** The maximum number of entries with the quantity 0 that are kept. Ordinary pods have fewer such entries. */
    private static final int MAX_KEPT_ZEROS = 64;

    private final JsonCursor cursor;
    private final EntryLimit limit;
    private @Nullable Map<ResourceName, Quantity> kept;
    private final DecodedNameHashes zeros = new DecodedNameHashes();
    private int keptZeros;

    ResourceListDecoder(JsonCursor cursor, EntryLimit allowance) {
        this.cursor = cursor;
        this.limit = allowance;
    }

    /**
     * Decodes the map at the cursor. For an empty map, {@link #resources} returns an empty map; for a missing map, it
     * returns null. The API server treats the two differently.
     */
    void read(Object what) throws IOException {
        Map<ResourceName, Quantity> map = new LinkedHashMap<>();
        boolean absent = cursor.isNull();
        cursor.object(what, key -> {
            Quantity quantity = cursor.quantity(what, key);
            if (quantity != null) {
                put(map, key, quantity, what);
            }
        });
        kept = absent ? null : map;
        if (zeros.size() > 0
                && (zeros.hasDuplicates() || map.keySet().stream().anyMatch(name -> zeros.contains(name.value())))) {
            cursor.report(what + " has a key twice");
        }
    }

    private void put(Map<ResourceName, Quantity> map, String key, Quantity quantity, Object what) {
        if (key.length() > JsonCursor.LONGEST) {
            cursor.report(what + " has a key of more than " + JsonCursor.LONGEST + " characters");
            return;
        }
        ResourceName name = new ResourceName(key);
        boolean taken = quantity.isZero() ? takesZero() : limit.takes(name);
        if (taken && map.put(name, quantity) != null) {
            cursor.report(what + " has the key " + key + " twice");
        } else if (!taken && quantity.isZero()) {
            zeros.add(key);
        }
    }

    private boolean takesZero() {
        keptZeros++;
        return keptZeros <= MAX_KEPT_ZEROS && limit.takesZero();
    }

    /** Decides whether another entry is kept. */
    interface EntryLimit {

        /** Returns true if an entry with a quantity above 0 is kept. If it is not kept, its name is not kept either. */
        boolean takes(ResourceName name);

        /**
         * Returns true if an entry with the quantity 0 is kept. If it is not kept, only the hash of its name is kept.
         */
        default boolean takesZero() {
            return true;
        }
    }

    /** Returns the entries. Returns null if there is no map. */
    @Nullable
    Map<ResourceName, Quantity> resources() {
        return kept;
    }

    /**
     * Restores entries with the quantity 0 in two maps, such as the requests and the limits of a container. An entry
     * that was dropped can be restored if the other map has its name. Without this, a container with a request of 5 and
     * a limit of 0 could look like a container without a limit.
     */
    static void complete(ResourceListDecoder one, ResourceListDecoder other) {
        one.completeFrom(other);
        other.completeFrom(one);
    }

    private void completeFrom(ResourceListDecoder other) {
        if (kept == null || other.kept == null || zeros.size() == 0) {
            return;
        }
        for (ResourceName name : other.kept.keySet()) {
            if (zeros.contains(name.value())) {
                kept.putIfAbsent(name, Quantity.ZERO);
            }
        }
    }
}
