package dev.sluice.cli.explain;

import dev.sluice.admission.DecisionFreeCapacity;
import dev.sluice.admission.ExplanationOccupancy;
import dev.sluice.admission.FreeCapacity;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.DraState.ClaimedShare;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.LedgerNodeUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods on each node and their resources: bound pods, and pods for which the ledger reserves capacity. The ledger
 * keeps the names of only a few pods, but explanations name all of them.
 */
final class ExplainOccupancy implements ExplanationOccupancy {

    /**
     * The text before the name of a ResourceClaim that no pod uses. Such a claim is shown as the holder of its devices.
     */
    static final String CLAIM = "the claim ";

    private final Ledger ledger;
    private final FreeCapacity free;
    private final ClusterSnapshot cluster;
    private final Map<String, LedgerNodeUsage> usage;
    private final DraState dra;
    private final Map<String, List<PodOnNode>> occupants = new HashMap<>();
    /** The nodes for which {@link #occupants} already includes the devices of ResourceClaims. */
    private final Set<String> withClaims = new HashSet<>();

    ExplainOccupancy(ClusterContents contents) {
        this(contents, contents.ledger());
    }

    private ExplainOccupancy(ClusterContents contents, Ledger ledger) {
        this(contents, ledger, ledger.snapshot());
    }

    /**
     * Creates the occupancy from a copy of the ledger of a running gateway.
     *
     * @param contents the nodes, pods and devices in the copy
     * @param cluster the snapshot of the cluster by which the gateway decides
     */
    ExplainOccupancy(ClusterContents contents, ClusterSnapshot cluster) {
        this(contents, contents.ledger(), cluster);
    }

    private ExplainOccupancy(ClusterContents contents, Ledger ledger, ClusterSnapshot cluster) {
        this.ledger = ledger;
        this.free = new DecisionFreeCapacity(ledger);
        this.cluster = cluster;
        this.usage = ledger.usage();
        this.dra = contents.dra();
        addBound(contents.pods());
        addExpected();
    }

    /**
     * Adds the bound pods. If a pod changed while the list was read page by page, the list contains it twice. Then only
     * the later copy is used.
     */
    private void addBound(List<Pod> pods) {
        Map<PodId, Pod> latest = new LinkedHashMap<>();
        pods.forEach(pod -> latest.put(pod.id(), pod));
        latest.values().forEach(pod -> {
            if (pod.place() instanceof Pod.Place.Bound(String node)) {
                add(node, new PodOnNode(pod.name(), PodBinding.BOUND, pod.requests()));
            }
        });
    }

    /** Adds the pending pods to the nodes on which the ledger reserves resources for them. */
    private void addExpected() {
        ledger.podUsages().forEach(holder -> {
            String place = holder.tentative();
            if (place != null) {
                add(place, new PodOnNode(holder.pod(), PodBinding.EXPECTED, holder.requests()));
            }
        });
    }

    private void add(String node, PodOnNode occupant) {
        occupants.computeIfAbsent(node, _ -> new ArrayList<>()).add(occupant);
    }

    ClusterSnapshot cluster() {
        return cluster;
    }

    @Override
    public FreeCapacity free() {
        return free;
    }

    @Override
    public Amounts available(String node) {
        LedgerNodeUsage taken = usage.getOrDefault(node, LedgerNodeUsage.NONE);
        Amounts allocatable = cluster.node(node).map(Node::allocatable).orElse(Amounts.NONE);
        return allocatable.minus(taken.allocated()).minus(taken.reserved());
    }

    @Override
    public List<PodOnNode> occupants(String node) {
        if (dra.claims().isKnown() && withClaims.add(node)) {
            cluster.node(node)
                    .filter(known -> !known.byClaims().equals(NodeExtendedResources.NONE))
                    .ifPresent(this::addHoldersOfClaims);
        }
        return List.copyOf(occupants.getOrDefault(node, List.of()));
    }

    /**
     * Adds the devices that DRA has allocated to ResourceClaims on a node. Each device is added to the pods that use
     * its claim. The requests of these pods for the same devices are no longer counted.
     */
    private void addHoldersOfClaims(Node node) {
        List<ClaimedShare> uses = dra.claimedShares(node);
        Set<String> withClaim = new HashSet<>();
        uses.forEach(
                use -> withClaim.add(use.claim().namespace() + "/" + use.claim().ofPod()));
        List<PodOnNode> counted = new ArrayList<>();
        for (PodOnNode pod : occupants.getOrDefault(node.name(), List.of())) {
            boolean isByClaim = pod.state() == PodBinding.BOUND && withClaim.contains(pod.pod());
            counted.add(new PodOnNode(
                    pod.pod(),
                    pod.state(),
                    isByClaim ? pod.requests().only(name -> !node.claims(name)) : pod.requests()));
        }
        for (ClaimedShare use : uses) {
            holders(use.claim())
                    .forEach(holder -> addTo(counted, new PodOnNode(holder, PodBinding.BOUND, use.devices())));
        }
        occupants.put(node.name(), counted);
    }

    /** Adds the amounts of {@code more} to the entry of the same pod. Adds a new entry if there is none. */
    private static void addTo(List<PodOnNode> counted, PodOnNode more) {
        for (int i = 0; i < counted.size(); i++) {
            PodOnNode known = counted.get(i);
            if (known.pod().equals(more.pod()) && known.state() == more.state()) {
                counted.set(
                        i,
                        new PodOnNode(
                                known.pod(), known.state(), known.requests().plus(more.requests())));
                return;
            }
        }
        counted.add(more);
    }

    /** Returns the pods that use the claim. If no pod uses it, returns the name of the claim. */
    private static List<String> holders(ResourceClaim claim) {
        return claim.users().isEmpty()
                ? List.of(CLAIM + claim.namespace() + "/" + claim.name())
                : claim.users().stream()
                        .map(user -> claim.namespace() + "/" + user)
                        .toList();
    }
}
