package dev.sluice.admission;

import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One container's resource maps before and after. All moves are made at once, so that two resources can change places;
 * a quantity that meets another is added to it; zero-valued keys stay.
 */
record ContainerChange(
        ContainerRequest container, Map<ResourceName, Quantity> limits, Map<ResourceName, Quantity> requests) {

    /** Only GPU resources change; {@code moves} are those of the whole pod. */
    static ContainerChange of(ContainerRequest container, List<Move> moves, Predicate<ResourceName> isGpu) {
        Map<ResourceName, Quantity> limits = copy(container.limits());
        Map<ResourceName, Quantity> requests = copy(container.requests());
        Map<ResourceName, Quantity> after = quantitiesAfter(container, moves, isGpu);
        for (Move move : moves) {
            if (!container.asked(move.asked()).isZero()) {
                limits.remove(move.asked());
                boolean requested = requests.remove(move.asked()) != null;
                if (requested || requests.containsKey(move.given())) {
                    requests.put(move.given(), Quantity.ZERO);
                }
            }
        }
        // Limits and requests of a device are equal, or the API server refuses the pod.
        limits.putAll(after);
        requests.replaceAll((name, quantity) -> after.getOrDefault(name, quantity));
        return new ContainerChange(container, limits, requests);
    }

    /** What the container asks of each GPU resource in the end; nothing that it asks 0 of. */
    private static Map<ResourceName, Quantity> quantitiesAfter(
            ContainerRequest container, List<Move> moves, Predicate<ResourceName> isGpu) {
        Map<ResourceName, Quantity> before = new TreeMap<>();
        copy(container.requests()).forEach(before::put);
        copy(container.limits()).forEach(before::put);
        before.entrySet().removeIf(entry -> entry.getValue().isZero() || !isGpu.test(entry.getKey()));
        Map<ResourceName, Quantity> after = new HashMap<>(before);
        moves.forEach(move -> after.remove(move.asked()));
        for (Move move : moves) {
            Quantity moved = before.get(move.asked());
            if (moved != null) {
                after.merge(move.given(), moved, Quantity::plus);
            }
        }
        return after;
    }

    private static Map<ResourceName, Quantity> copy(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null ? new HashMap<>() : new HashMap<>(quantities);
    }

    List<PatchOperation> operations() {
        JsonPointer resources = container.path().child("resources");
        List<PatchOperation> operations = new ArrayList<>();
        difference(resources.child("limits"), container.limits(), limits, operations);
        difference(resources.child("requests"), container.requests(), requests, operations);
        return operations;
    }

    private static void difference(
            JsonPointer path,
            @Nullable Map<ResourceName, Quantity> before,
            Map<ResourceName, Quantity> after,
            List<PatchOperation> operations) {
        if (before == null) {
            if (!after.isEmpty()) {
                operations.add(new PatchOperation.Add(path, members(after)));
            }
            return;
        }
        for (ResourceName name : new TreeSet<>(before.keySet())) {
            if (!after.containsKey(name)) {
                operations.add(new PatchOperation.Remove(path.child(name.value())));
            }
        }
        new TreeMap<>(after).forEach((name, quantity) -> {
            JsonPointer place = path.child(name.value());
            PatchOperation.Text text = new PatchOperation.Text(quantity.text());
            Quantity old = before.get(name);
            if (old == null) {
                operations.add(new PatchOperation.Add(place, text));
            } else if (!old.equals(quantity)) {
                operations.add(new PatchOperation.Replace(place, text));
            }
        });
    }

    private static PatchOperation.Members members(Map<ResourceName, Quantity> quantities) {
        Map<String, PatchOperation.Value> members = new TreeMap<>();
        quantities.forEach((name, quantity) -> members.put(name.value(), new PatchOperation.Text(quantity.text())));
        return new PatchOperation.Members(members);
    }
}
