package dev.sluice.cli.explain;

import dev.sluice.admission.ExplanationOccupancy;
import dev.sluice.admission.FreeCapacity;
import dev.sluice.cluster.quantity.Amounts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The pods and free capacity of nodes, for a client who may read only one namespace. All pods on a node that do not
 * certainly belong to this namespace are shown as one pod with the name {@link #OTHERS}. Bound pods and expected pods
 * are shown separately.
 */
record ExplainTenantOccupancy(ExplanationOccupancy all, String namespace) implements ExplanationOccupancy {

    static final String OTHERS = "others";

    @Override
    public FreeCapacity free() {
        return all.free();
    }

    @Override
    public Amounts available(String node) {
        return all.available(node);
    }

    @Override
    public List<PodOnNode> occupants(String node) {
        List<PodOnNode> shown = new ArrayList<>();
        Map<PodBinding, Amounts> others = new EnumMap<>(PodBinding.class);
        for (PodOnNode occupant : all.occupants(node)) {
            if (isOwn(occupant.pod())) {
                shown.add(occupant);
            } else {
                others.merge(occupant.state(), occupant.requests(), Amounts::plus);
            }
        }
        others.forEach((state, requests) -> shown.add(new PodOnNode(OTHERS, state, requests)));
        return shown;
    }

    private boolean isOwn(String pod) {
        return pod.startsWith(namespace + "/") || pod.startsWith(ExplainOccupancy.CLAIM + namespace + "/");
    }
}
