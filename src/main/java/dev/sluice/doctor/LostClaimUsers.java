package dev.sluice.doctor;

import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the pods for which a ResourceClaim is reserved although they will not use its devices: pods that do not exist,
 * and pods whose deletion does not finish.
 */
public final class LostClaimUsers {

    /**
     * The time after a change of a claim, or after an event about a pod, in which a missing pod is not reported. Pods
     * and claims are listed at different times, and a claim stays reserved for a moment after its pod has ended.
     */
    static final Duration IN_TRANSIT = Duration.ofMinutes(1);

    public static final LostClaimUsers NONE = new LostClaimUsers(Map.of());

    private static final String MISSING = "does not exist";

    /**
     * Maps a pod, as {@code namespace/name}, to a clause that says why the pod will not use the claim that is reserved
     * for it.
     */
    private final Map<String, String> lost;

    private LostClaimUsers(Map<String, String> lost) {
        this.lost = lost;
    }

    public static LostClaimUsers of(ClusterFacts cluster) {
        boolean allPods = cluster.has(ClusterFactKind.PODS)
                && cluster.unread().stream().noneMatch(it -> it.plural().equals(ClusterFactKind.PODS.plural()));
        Map<String, String> lost = new HashMap<>();
        if (allPods) {
            cluster.dra()
                    .claims()
                    .forEach(claim -> claim.users().forEach(user -> lost.put(claim.namespace() + "/" + user, MISSING)));
        }
        if (!lost.isEmpty()) {
            DiagnosedDevicePluginPods plugins = new DiagnosedDevicePluginPods(cluster);
            for (PodFacts pod : cluster.pods()) {
                String late = pod.state().terminating() ? DeviceUseCauses.late(pod, cluster) : "";
                if (late.isEmpty()) {
                    lost.remove(pod.fullName());
                } else {
                    lost.replace(pod.fullName(), "is being deleted: " + late + driver(pod, plugins));
                }
            }
            inTransit(cluster, lost).forEach(user -> lost.remove(user, MISSING));
        }
        return new LostClaimUsers(lost);
    }

    /**
     * Returns a clause if a DRA driver on the node of the terminating pod does not run; empty otherwise. The deletion
     * does not finish without the driver, because the kubelet waits until the driver has taken the devices back.
     */
    private static String driver(PodFacts pod, DiagnosedDevicePluginPods plugins) {
        return plugins.driversOn(pod.nodeName()).stream()
                .filter(driver -> !driver.hasEnded() && !driver.isRunningAndReady())
                .findFirst()
                .map(driver -> ", and the kubelet needs the DRA driver to end it, whose "
                        + DiagnosedNodeFaultText.state(driver, "pod "))
                .orElse("");
    }

    /** Returns the pods that may have been created or deleted between the list of pods and the list of claims. */
    private static Set<String> inTransit(ClusterFacts cluster, Map<String, String> lost) {
        Set<String> users = new HashSet<>();
        if (lost.containsValue(MISSING)) {
            cluster.dra().claims().stream()
                    .filter(claim -> claim.changed() != null && cluster.isWithin(claim.changed(), IN_TRANSIT))
                    .forEach(claim -> claim.users().forEach(user -> users.add(claim.namespace() + "/" + user)));
            cluster.events().stream()
                    .filter(event -> event.kind().equals("Pod")
                            && event.time() != null
                            && cluster.isWithin(event.time(), IN_TRANSIT))
                    .forEach(event -> users.add(event.namespace() + "/" + event.name()));
        }
        return users;
    }

    /**
     * Returns a copy that keeps a missing pod only if {@code before} contains it, too. A pod that is missing for the
     * first time may have been created or deleted while this reading listed pods and claims.
     *
     * @param before the result of the previous reading
     */
    public LostClaimUsers alsoIn(LostClaimUsers before) {
        Map<String, String> both = new HashMap<>(lost);
        both.entrySet().removeIf(user -> user.getValue().equals(MISSING) && !before.lost.containsKey(user.getKey()));
        return new LostClaimUsers(both);
    }

    /**
     * Returns a sentence about the given claims that are reserved only for pods which will not use them, and adds these
     * claims to the evidence.
     */
    String sentence(Collection<ResourceClaim> claims, List<Evidence> evidence) {
        List<String> told = new ArrayList<>();
        for (ResourceClaim claim : claims) {
            if (!claim.users().stream().allMatch(user -> lost.containsKey(claim.namespace() + "/" + user))) {
                continue;
            }
            for (String user : claim.users()) {
                // The form must be namespace/name. TenantDiagnosis recognises the names of other namespaces by this
                // form.
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
