package dev.sluice.doctor;

import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.FirstFiveNames;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the pods that keep devices of dynamic resource allocation although they will not use them any more: a claim is
 * reserved for a pod that does not exist, or for one whose deletion does not end.
 */
final class LostClaimUsers {

    /** Holds what is wrong with a pod for which a claim is reserved, as a clause, by {@code namespace/name}. */
    private final Map<String, String> lost = new HashMap<>();

    LostClaimUsers(ClusterFacts cluster) {
        boolean allPods = cluster.has(FactKind.PODS)
                && cluster.unread().stream().noneMatch(it -> it.plural().equals(FactKind.PODS.plural()));
        Set<String> users = new HashSet<>();
        cluster.dra()
                .claims()
                .forEach(claim -> claim.users().forEach(user -> users.add(claim.namespace() + "/" + user)));
        if (users.isEmpty() || !allPods) {
            return;
        }
        users.forEach(user -> lost.put(user, "does not exist"));
        for (PodFacts pod : cluster.pods()) {
            String late = pod.state().terminating() ? DeviceUseCauses.late(pod, cluster) : "";
            if (late.isEmpty()) {
                lost.remove(pod.fullName());
            } else {
                lost.replace(pod.fullName(), "is being deleted: " + late);
            }
        }
    }

    /**
     * Returns a sentence about the claims that such pods keep, and adds these claims to the evidence. A claim that
     * another pod uses as well is not among them, because its devices would not become free.
     */
    String sentence(Collection<ResourceClaim> claims, List<Evidence> evidence) {
        List<String> told = new ArrayList<>();
        for (ResourceClaim claim : claims) {
            if (!claim.users().stream().allMatch(user -> lost.containsKey(claim.namespace() + "/" + user))) {
                continue;
            }
            for (String user : claim.users()) {
                // Tenants see no names of other namespaces, which are found by their namespace.
                String pod = claim.namespace() + "/" + user;
                String why = lost.get(pod);
                if (why != null) {
                    String name = claim.namespace() + "/" + claim.name();
                    if (told.size() < FirstFiveNames.MOST) {
                        evidence.add(new Evidence(
                                "ResourceClaim",
                                name,
                                Evidence.STUCK + ": it is reserved for pod " + pod + ", which " + why));
                    }
                    told.add("claim " + name + " is reserved for pod " + pod + ", which " + why);
                }
            }
        }
        return told.isEmpty()
                ? ""
                : " Nobody gives these devices back: " + FirstFiveNames.of(told)
                        + ". Look at the claim's finalizers, and whether the kubelet of its node and the controller"
                        + " manager run.";
    }
}
