package dev.sluice.doctor;

import dev.sluice.cluster.dra.DeviceAllocator;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.dra.DevicePool;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.dra.DraCertainty;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds the devices of one DeviceClass, as the ResourceSlices and claims show them.
 *
 * @param all the number of devices that certainly belong to the class
 * @param doubtful the number of devices that may belong to the class
 * @param tainted the devices in {@code all} with a taint that excludes pods without tolerations, as {@code device
 *     (taint)}
 * @param freeOn the nodes on which a device of the class is free, or may be free
 * @param holders the claims that hold devices of the class, and the claims that hold other devices with the same
 *     counters, such as slices of the same GPU
 * @param partly true if a claim in {@code holders} holds no device of the class
 * @param untaken the number of devices in the {@code unused} pools that belong to the class, or may belong to it
 * @param unused the pools from which the scheduler allocates no devices, each with the reason
 */
public record DiagnosedDeviceClass(
        String name,
        long all,
        long doubtful,
        List<String> tainted,
        Set<String> freeOn,
        Set<ResourceClaim> holders,
        boolean partly,
        long untaken,
        List<String> unused) {

    /**
     * Returns the devices of the class; empty if the class does not exist, or if classes or slices were not read in
     * full.
     */
    public static Optional<DiagnosedDeviceClass> of(String name, ClusterFacts cluster) {
        DraState dra = cluster.dra().state();
        return known(name, cluster).map(known -> of(known, cluster, dra));
    }

    private static DiagnosedDeviceClass of(DeviceClass known, ClusterFacts cluster, DraState dra) {
        long all = 0;
        long doubtful = 0;
        long untaken = 0;
        Set<ResourceClaim> partners = new LinkedHashSet<>();
        List<String> tainted = new ArrayList<>();
        List<String> unused = new ArrayList<>();
        Set<ResourceClaim> holders = new LinkedHashSet<>();
        for (DevicePool pool : dra.supply().pools().all()) {
            if (!pool.isUsable()) {
                unused.add(pool + ": " + pool.fault());
                untaken += pool.devices().stream()
                        .filter(device -> known.contains(pool.id().driver(), device.device()) != DraCertainty.NO)
                        .count();
            }
            Map<String, Set<ResourceClaim>> byCounters = holdersOfCounters(pool, dra);
            for (PooledDevice device : pool.isUsable() ? pool.devices() : List.<PooledDevice>of()) {
                DraCertainty belongs = known.contains(pool.id().driver(), device.device());
                doubtful += belongs == DraCertainty.MAYBE ? 1 : 0;
                if (belongs == DraCertainty.YES) {
                    all++;
                    holders.addAll(dra.claims().holding(device.id()));
                    device.device()
                            .consumes()
                            .forEach(set -> partners.addAll(byCounters.getOrDefault(set.name(), Set.of())));
                    device.device().taints().stream()
                            .filter(it -> it.keepsPodsOff())
                            .findFirst()
                            .ifPresent(taint -> tainted.add(device.id() + " (" + taint + ")"));
                }
            }
        }
        boolean partly = !holders.containsAll(partners);
        holders.addAll(partners);
        return new DiagnosedDeviceClass(
                known.name(), all, doubtful, tainted, freeOn(known, cluster, dra), holders, partly, untaken, unused);
    }

    /**
     * Maps the name of each counter set to the claims that use it. A claim uses a counter set if it holds a device that
     * consumes counters of the set.
     */
    private static Map<String, Set<ResourceClaim>> holdersOfCounters(DevicePool pool, DraState dra) {
        Map<String, Set<ResourceClaim>> holders = new HashMap<>();
        for (PooledDevice device : pool.counters().isEmpty() ? List.<PooledDevice>of() : pool.devices()) {
            dra.claims()
                    .holding(device.id())
                    .forEach(claim -> device.device()
                            .consumes()
                            .forEach(set -> holders.computeIfAbsent(set.name(), _ -> new LinkedHashSet<>())
                                    .add(claim)));
        }
        return holders;
    }

    /**
     * Returns true if {@link #of} would return the devices of the class. This method takes much less time than
     * {@link #of}.
     */
    static boolean isKnown(String name, ClusterFacts cluster) {
        return known(name, cluster).isPresent();
    }

    private static Optional<DeviceClass> known(String name, ClusterFacts cluster) {
        return cluster.dra()
                .state()
                .supply()
                .classes()
                .named(name)
                .filter(_ -> cluster.has(ClusterFactKind.RESOURCE_SLICES)
                        && cluster.unread().stream()
                                .noneMatch(it -> it.plural().equals(ClusterFactKind.RESOURCE_SLICES.plural())));
    }

    private static Set<String> freeOn(DeviceClass known, ClusterFacts cluster, DraState dra) {
        Set<String> nodes = new TreeSet<>();
        for (NodeFacts node : cluster.nodes()) {
            List<PooledDevice> devices = dra.supply().pools().devicesOn(node.node());
            if (!devices.isEmpty()) {
                DeviceCount free = new DeviceAllocator(devices, dra.claims()::has).free(known);
                if (free.most() > 0) {
                    nodes.add(node.name());
                }
            }
        }
        return nodes;
    }

    /**
     * Returns true if the class has devices and all devices that can be allocated are in use by other pods. A pod that
     * needs such a device only has to wait.
     */
    boolean areAllUsed() {
        return all > tainted.size() && doubtful == 0 && freeOn.isEmpty() && !holders.isEmpty();
    }

    /**
     * Returns the pods that use devices of the class. Each entry names the pod and its claim. The claim is left out if
     * the scheduler created it.
     */
    public List<String> pods() {
        return holders(holders);
    }

    public static List<String> holders(Iterable<ResourceClaim> claims) {
        Set<String> pods = new TreeSet<>();
        for (ResourceClaim claim : claims) {
            String title = claim.ofPod().isEmpty() ? " (claim " + claim.name() + ")" : "";
            claim.users().forEach(user -> pods.add(claim.namespace() + "/" + user + title));
            if (claim.users().isEmpty()) {
                pods.add("the claim " + claim.namespace() + "/" + claim.name() + ", which is reserved for no pod");
            }
        }
        return List.copyOf(pods);
    }

    /** Returns a sentence about why a pod gets no device of the class. The sentence begins with a blank. */
    String sentence() {
        String pools = unused.isEmpty() ? "" : " No device is taken of " + FirstFiveNames.of(unused) + ".";
        if (all == 0) {
            return (doubtful > 0
                            ? " Which devices belong to the class " + name
                                    + " is not certain, because its selectors cannot be evaluated here."
                            : untaken > 0
                                    ? " No device of the class " + name + " can be handed out."
                                    : " No device in a ResourceSlice belongs to the class " + name + ".")
                    + pools;
        }
        if (all == tainted.size()) {
            return " Every device of the class " + name + " is tainted: " + FirstFiveNames.of(tainted) + "." + pools;
        }
        if (areAllUsed()) {
            return (all == 1 ? " The only device" : " All " + all + " devices") + " of the class " + name
                    + (all == 1 ? " is in use" : " are in use")
                    + (partly ? ", or a part of " + (all == 1 ? "it" : "them") : "")
                    + (tainted.isEmpty() ? "" : " or tainted") + ", held by " + FirstFiveNames.of(pods()) + "." + pools;
        }
        return (freeOn.isEmpty()
                        ? ""
                        : " Devices of the class " + name + " are free on " + FirstFiveNames.nodes(freeOn) + ".")
                + pools;
    }
}
