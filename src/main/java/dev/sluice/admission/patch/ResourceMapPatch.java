package dev.sluice.admission.patch;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The change to the limits or the requests of a container. It contains only the quantities that change, so that
 * unchanged containers need no memory.
 *
 * @param before the map before the change; null if the pod has no such map
 * @param different the changed quantities by name; null for a quantity that is removed
 */
record ResourceMapPatch(
        @Nullable Map<ResourceName, Quantity> before, SortedMap<ResourceName, @Nullable Quantity> different) {

    static ResourceMapPatch none(@Nullable Map<ResourceName, Quantity> before) {
        return new ResourceMapPatch(before, Collections.emptySortedMap());
    }

    /** Returns the quantity of this resource after the change. Returns null if there is none. */
    @Nullable
    Quantity get(ResourceName name) {
        if (different.containsKey(name)) {
            return different.get(name);
        }
        return before == null ? null : before.get(name);
    }

    ResourceMapPatch with(ResourceName name, Quantity quantity) {
        SortedMap<ResourceName, @Nullable Quantity> with = new TreeMap<>(different);
        with.put(name, quantity);
        return new ResourceMapPatch(before, with);
    }

    /**
     * Replaces resources by others. If the map already has a quantity of the new resource, the quantities are added.
     * The replaced resource is removed, or set to zero if {@code keepsKey} accepts it. A resource whose quantity is
     * zero is not replaced. All replacements are made at once, so that two resources can be exchanged for each other.
     */
    ResourceMapPatch moved(List<PodRequestReplacement> moves, Predicate<ResourceName> keepsKey) {
        ResourceMapPatch moved = new ResourceMapPatch(before, new TreeMap<>(different));
        for (PodRequestReplacement move : moves) {
            if (has(move.asked())) {
                moved.different.put(move.asked(), keepsKey.test(move.asked()) ? Quantity.ZERO : null);
            }
        }
        for (PodRequestReplacement move : moves) {
            Quantity quantity = get(move.asked());
            if (quantity != null && !quantity.isZero()) {
                Quantity met = moved.get(move.given());
                moved.different.put(move.given(), met == null ? quantity : met.plus(quantity));
            }
        }
        return moved;
    }

    private boolean has(ResourceName name) {
        Quantity quantity = get(name);
        return quantity != null && !quantity.isZero();
    }

    /** Returns the whole map after the change. Returns null if the pod had no such map and nothing is added. */
    @Nullable
    Map<ResourceName, Quantity> after() {
        if (different.isEmpty()) {
            return before;
        }
        Map<ResourceName, Quantity> after = before == null ? new HashMap<>() : new HashMap<>(before);
        different.forEach((name, quantity) -> {
            if (quantity == null) {
                after.remove(name);
            } else {
                after.put(name, quantity);
            }
        });
        return before == null && after.isEmpty() ? null : after;
    }

    /** Returns a change of {@code stored} that has the same result as this change. */
    ResourceMapPatch from(@Nullable Map<ResourceName, Quantity> stored) {
        Map<ResourceName, Quantity> after = after();
        SortedMap<ResourceName, @Nullable Quantity> changed = new TreeMap<>();
        if (stored != null) {
            stored.keySet().forEach(name -> changed.put(name, null));
        }
        if (after != null) {
            changed.putAll(after);
        }
        return new ResourceMapPatch(stored, changed);
    }

    /**
     * Adds the operations that change the map at {@code place}: first the removals, then the other operations. Both are
     * in the order of names.
     */
    void addSteps(JsonPointer place, List<PatchOperation> steps) {
        if (before == null) {
            Map<ResourceName, Quantity> after = after();
            if (after != null) {
                steps.add(new PatchOperation.Add(place, members(after)));
            }
            return;
        }
        List<PatchOperation> rest = new ArrayList<>(2);
        for (Map.Entry<ResourceName, @Nullable Quantity> one : different.entrySet()) {
            Quantity old = before.get(one.getKey());
            Quantity written = one.getValue();
            if (written != null && !written.equals(old)) {
                rest.add(put(place.child(one.getKey().value()), old, written));
            } else if (written == null && old != null) {
                steps.add(new PatchOperation.Remove(place.child(one.getKey().value())));
            }
        }
        steps.addAll(rest);
    }

    private static PatchOperation put(JsonPointer place, @Nullable Quantity old, Quantity written) {
        PatchOperation.Text text = new PatchOperation.Text(written.text());
        return old == null ? new PatchOperation.Add(place, text) : new PatchOperation.Replace(place, text);
    }

    private static PatchOperation.Members members(Map<ResourceName, Quantity> quantities) {
        Map<String, PatchOperation.Value> members = new TreeMap<>();
        quantities.forEach((name, quantity) -> members.put(name.value(), new PatchOperation.Text(quantity.text())));
        return new PatchOperation.Members(members);
    }
}
