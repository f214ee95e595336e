package dev.sluice.kube.decode;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a map of resources to quantities. A pod can name 200,000 resources with the quantity 0, and all of them are
 * legal: beyond the first of these only the hashes of their names are kept.
 */
public final class ResourceListDecoder {

    /** Ordinary pods have fewer zeros. */
    private static final int MAX_KEPT_ZEROS = 64;

    private final JsonCursor cursor;
    private final EntryLimit limit;
    private @Nullable Map<ResourceName, Quantity> kept;
    private final NameHashes zeros = new NameHashes();
    private int keptZeros;

    public ResourceListDecoder(JsonCursor cursor, EntryLimit allowance) {
        this.cursor = cursor;
        this.limit = allowance;
    }

    /** Decodes the map at the cursor. A map without entries is not the same as no map. */
    public void read(Object what) throws IOException {
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

    /** Decides whether one more entry is kept. */
    public interface EntryLimit {

        /** An entry above 0; nothing is kept of one that is not taken. */
        boolean takes(ResourceName name);

        /** An entry of 0; the hash is kept of one that is not taken. */
        default boolean takesZero() {
            return true;
        }
    }

    /** Null without a map. */
    @Nullable
    public Map<ResourceName, Quantity> resources() {
        return kept;
    }

    /**
     * Adds zeros that were not kept to each map where the other has the resource, because a limit of 0 beside a request
     * of 5, or the other way round, is not the same as no limit.
     */
    public static void complete(ResourceListDecoder one, ResourceListDecoder other) {
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
