package dev.sluice.admission.verdict;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.cluster.PodContainerKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of the containers that a cause is about.
 *
 * @param first the names of the first containers, at most {@link #NAMED}
 * @param count the number of all these containers
 * @param kind the kind of the containers; {@code INIT} if none of them is a main container
 */
public record DecisionCauseContainers(List<String> first, int count, PodContainerKind kind) {

    public static final int NAMED = 3;

    public DecisionCauseContainers {
        first = List.copyOf(first);
    }

    public static DecisionCauseContainers of(List<ContainerRequest> containers) {
        List<String> first = new ArrayList<>(Math.min(NAMED, containers.size()));
        PodContainerKind kind = PodContainerKind.INIT;
        for (ContainerRequest container : containers) {
            if (first.size() < NAMED) {
                first.add(container.name());
            }
            if (container.kind() == PodContainerKind.MAIN) {
                kind = PodContainerKind.MAIN;
            }
        }
        return new DecisionCauseContainers(first, containers.size(), kind);
    }
}
