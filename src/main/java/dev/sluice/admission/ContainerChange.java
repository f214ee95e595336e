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
        Map<ResourceName, Quantity> limits = moved(withMissingLimits(container, isGpu), moves);
        Map<ResourceName, Quantity> requests = moved(copy(container.requests()), moves);
        // Where a request met a target that only the limits had, the two are made equal, as devices must be.
        requests.replaceAll((name, quantity) ->
                isGpu.test(name) ? equalised(quantity, limits.getOrDefault(name, quantity)) : quantity);
        return new ContainerChange(container, limits, requests);
    }

    /** The limit where the two differ; otherwise the request as it is written. */
    private static Quantity equalised(Quantity request, Quantity limit) {
        return request.equals(limit) ? request : limit;
    }

    private static Map<ResourceName, Quantity> withMissingLimits(
            ContainerRequest container, Predicate<ResourceName> isGpu) {
        Map<ResourceName, Quantity> limits = copy(container.limits());
        copy(container.requests()).forEach((name, quantity) -> {
            if (isGpu.test(name) && !quantity.isZero()) {
                limits.putIfAbsent(name, quantity);
            }
        });
        return limits;
    }

    private static Map<ResourceName, Quantity> moved(Map<ResourceName, Quantity> before, List<Move> moves) {
        Map<ResourceName, Quantity> after = new HashMap<>(before);
        List<Move> own = moves.stream()
                .filter(move ->
                        !before.getOrDefault(move.asked(), Quantity.ZERO).isZero())
                .toList();
        own.forEach(move -> after.remove(move.asked()));
        for (Move move : own) {
            after.merge(move.given(), before.getOrDefault(move.asked(), Quantity.ZERO), Quantity::plus);
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
