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
        Map<ResourceName, Quantity> limits = copy(container.limits());
        Map<ResourceName, Quantity> requests = copy(container.requests());
        addMissing(limits, requests, isGpu);
        move(limits, moves);
        move(requests, moves);
        // Where a request met a target that only the limits had, the two are made equal, as devices must be.
        requests.replaceAll((name, quantity) ->
                isGpu.test(name) ? equalised(quantity, limits.getOrDefault(name, quantity)) : quantity);
        return new ContainerChange(container, limits, requests);
    }

    /** Nothing is different. */
    static ContainerChange none(ContainerRequest container) {
        return new ContainerChange(container, orEmpty(container.limits()), orEmpty(container.requests()));
    }

    private static Map<ResourceName, Quantity> orEmpty(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null ? Map.of() : quantities;
    }

    /** With these values for one resource more. */
    ContainerChange with(ResourceName name, Quantity request, Quantity limit) {
        Map<ResourceName, Quantity> withLimit = copy(limits);
        Map<ResourceName, Quantity> withRequest = copy(requests);
        withLimit.put(name, limit);
        withRequest.put(name, request);
        return new ContainerChange(container, withLimit, withRequest);
    }

    private static Map<ResourceName, Quantity> copy(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null ? new HashMap<>() : new HashMap<>(quantities);
    }

    private static void addMissing(
            Map<ResourceName, Quantity> limits, Map<ResourceName, Quantity> requests, Predicate<ResourceName> isGpu) {
        requests.forEach((name, quantity) -> {
            if (!limits.containsKey(name) && isGpu.test(name) && !quantity.isZero()) {
                limits.put(name, quantity);
            }
        });
    }

    private static void move(Map<ResourceName, Quantity> quantities, List<Move> moves) {
        Quantity[] moved = new Quantity[moves.size()];
        for (int i = 0; i < moved.length; i++) {
            ResourceName asked = moves.get(i).asked();
            moved[i] = quantities.getOrDefault(asked, Quantity.ZERO);
            if (!moved[i].isZero()) {
                quantities.remove(asked);
            }
        }
        for (int i = 0; i < moved.length; i++) {
            if (!moved[i].isZero()) {
                quantities.merge(moves.get(i).given(), moved[i], Quantity::plus);
            }
        }
    }

    /** The limit where the two differ; otherwise the request as it is written. */
    private static Quantity equalised(Quantity request, Quantity limit) {
        return request.equals(limit) ? request : limit;
    }

    List<PatchOperation> operations() {
        ResourcePlaces places = ResourcePlaces.of(container);
        List<PatchOperation> operations = new ArrayList<>();
        difference(places.limits(), container.limits(), limits, operations);
        difference(places.requests(), container.requests(), requests, operations);
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
        List<ResourceName> names = new ArrayList<>();
        for (ResourceName name : before.keySet()) {
            if (!after.containsKey(name)) {
                names.add(name);
            }
        }
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
