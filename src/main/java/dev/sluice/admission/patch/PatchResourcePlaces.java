package dev.sluice.admission.patch;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.cluster.PodContainerKind;
import java.util.List;
import java.util.stream.IntStream;

/** The JSON pointers to the field {@code resources} of one container, and to the limits and requests in it. */
record PatchResourcePlaces(JsonPointer resources, JsonPointer limits, JsonPointer requests) {

    /**
     * The number of main containers and of init containers whose pointers are created in advance. All decisions share
     * these pointers. Few pods have more containers.
     */
    private static final int READY_MADE = 16;

    private static final List<PatchResourcePlaces> MAIN = readyMade("containers");
    private static final List<PatchResourcePlaces> INIT = readyMade("initContainers");

    private static List<PatchResourcePlaces> readyMade(String list) {
        return IntStream.range(0, READY_MADE)
                .mapToObj(index -> inList(list, index))
                .toList();
    }

    private static PatchResourcePlaces inList(String list, int index) {
        JsonPointer resources = JsonPointer.of("spec", list, Integer.toString(index), "resources");
        return new PatchResourcePlaces(resources, resources.child("limits"), resources.child("requests"));
    }

    static PatchResourcePlaces of(ContainerRequest container) {
        boolean isMain = container.kind() == PodContainerKind.MAIN;
        int index = container.index();
        if (index < READY_MADE) {
            return (isMain ? MAIN : INIT).get(index);
        }
        return inList(isMain ? "containers" : "initContainers", index);
    }
}
