package dev.sluice.admission;

import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
        for (Move move : moves) {
            if (!quantity(before, move).isZero()) {
                after.remove(move.asked());
            }
        }
        for (Move move : moves) {
            Quantity moved = quantity(before, move);
            if (!moved.isZero()) {
                after.merge(move.given(), moved, Quantity::plus);
            }
        }
        return after;
    }

    private static Quantity quantity(Map<ResourceName, Quantity> before, Move move) {
        return before.getOrDefault(move.asked(), Quantity.ZERO);
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
        for (ResourceName name : missing(before, after)) {
            operations.add(new PatchOperation.Remove(path.child(name.value())));
        }
        for (ResourceName name : changed(before, after)) {
            JsonPointer place = path.child(name.value());
            PatchOperation.Text text = new PatchOperation.Text(
                    after.getOrDefault(name, Quantity.ZERO).text());
            operations.add(
                    before.containsKey(name)
                            ? new PatchOperation.Replace(place, text)
                            : new PatchOperation.Add(place, text));
        }
    }

    private static List<ResourceName> missing(Map<ResourceName, Quantity> before, Map<ResourceName, Quantity> after) {
        List<ResourceName> names = new ArrayList<>(before.keySet());
        names.removeAll(after.keySet());
        names.sort(null);
        return names;
    }

    private static List<ResourceName> changed(Map<ResourceName, Quantity> before, Map<ResourceName, Quantity> after) {
        List<ResourceName> names = new ArrayList<>();
        after.forEach((name, quantity) -> {
            if (!Objects.equals(before.get(name), quantity)) {
                names.add(name);
            }
        });
        names.sort(null);
        return names;
    }

    private static PatchOperation.Members members(Map<ResourceName, Quantity> quantities) {
        Map<String, PatchOperation.Value> members = new TreeMap<>();
        quantities.forEach((name, quantity) -> members.put(name.value(), new PatchOperation.Text(quantity.text())));
        return new PatchOperation.Members(members);
    }
}
