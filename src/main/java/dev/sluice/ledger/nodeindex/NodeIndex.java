package dev.sluice.ledger.nodeindex;

import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All accounts, and where among them there is room. */
public final class NodeIndex {

    /**
     * Nodes with fewer kinds of devices first, then those with fewer devices: what only few nodes have is kept for the
     * pods that can run nowhere else.
     */
    private static final Comparator<NodeBucket> LEAST_SCARCE = Comparator.comparingInt(
                    (NodeBucket shelf) -> shelf.kind().devices().size())
            .thenComparingLong(shelf -> shelf.kind().devices().sum());

    private final Map<String, NodeUsage> accounts = new HashMap<>();
    /** By name: an order that does not change when one leaves and comes back. */
    private final Set<NodeUsage> reserving = new TreeSet<>(Comparator.comparing(NodeUsage::name));

    private final Map<NodeBucket.BucketKey, NodeBucket> shelves = new HashMap<>();
    private final List<NodeBucket> inOrder = new ArrayList<>();
    private final Map<ResourceName, List<NodeBucket>> byDevice = new HashMap<>();
    /** Which accounts admit pods with the constraints that were asked about last; only where these are many. */
    private final IdentityHashMap<NodeUsage, Boolean> remembered = new IdentityHashMap<>();

    private NodeConstraints rememberedFor = NodeConstraints.NONE;
    private Set<String> namingKeys = Set.of();
    private long groupings;

    public Collection<NodeUsage> accounts() {
        return accounts.values();
    }

    /** Those on which something stands, by name. */
    public Set<NodeUsage> reserving() {
        return reserving;
    }

    /** The account of this name, a ghost's if no such node is known. */
    public NodeUsage account(String name) {
        return accounts.computeIfAbsent(name, _ -> new NodeUsage(name, reserving));
    }

    @Nullable
    public NodeUsage known(String name) {
        NodeUsage account = accounts.get(name);
        return account == null || account.node() == null ? null : account;
    }

    public boolean has(String name) {
        return accounts.containsKey(name);
    }

    /** How many of {@code device} are free on all nodes together, cordoned or not: a part of what they offer. */
    public long freeOf(ResourceName device) {
        long free = 0;
        for (NodeBucket shelf : byDevice.getOrDefault(device, List.of())) {
            free += shelf.freeOf(device);
        }
        return free;
    }

    /** Some node has it. */
    public boolean isDevice(ResourceName name) {
        return byDevice.containsKey(name);
    }

    public void forgetIfBlank(NodeUsage account) {
        if (account.isBlank()) {
            accounts.remove(account.name(), account);
            remembered.remove(account);
        }
    }

    /** Follows one node; all of them where they were grouped anew. The accounts that may have changed are returned. */
    public List<NodeUsage> follow(NodeLedger nodes, @Nullable String changed) {
        remembered.clear();
        namingKeys = nodes.namingKeys();
        if (changed != null && groupings == nodes.groupings()) {
            NodeUsage account = account(changed);
            follow(account, nodes.known(changed));
            return List.of(account);
        }
        groupings = nodes.groupings();
        nodes.all().forEach(known -> {
            var _ = account(known.node().name());
        });
        List<NodeUsage> all = new ArrayList<>(accounts.values());
        all.forEach(account -> follow(account, nodes.known(account.name())));
        return all;
    }

    private void follow(NodeUsage account, NodeLedger.@Nullable KnownNode known) {
        NodeBucket before = account.shelf();
        NodeBucket after = known == null
                ? null
                : shelves.computeIfAbsent(
                        new NodeBucket.BucketKey(known.kind(), known.node().unschedulable()), this::newShelf);
        if (before != null && before != after) {
            before.remove(account);
        }
        account.is(known == null ? null : known.node());
        if (after != null && before != after) {
            after.put(account);
        }
        if (before != null && before.isEmpty()) {
            drop(before);
        }
    }

    private NodeBucket newShelf(NodeBucket.BucketKey key) {
        NodeBucket shelf = new NodeBucket(key);
        insert(shelf, inOrder);
        key.kind()
                .devices()
                .forEach((device, _) -> insert(shelf, byDevice.computeIfAbsent(device, _ -> new ArrayList<>())));
        return shelf;
    }

    private static void insert(NodeBucket shelf, List<NodeBucket> ordered) {
        int found = Collections.binarySearch(ordered, shelf, LEAST_SCARCE);
        ordered.add(found < 0 ? -found - 1 : found, shelf);
    }

    private void drop(NodeBucket shelf) {
        shelves.remove(shelf.key());
        inOrder.remove(shelf);
        shelf.kind()
                .devices()
                .forEach((device, _) -> byDevice.getOrDefault(device, List.of()).remove(shelf));
    }

    /**
     * A node with room for {@code need} that the scheduler would take for such a pod. The first that fits in a fixed
     * order, so that nodes fill up one after the other and whole ones stay whole.
     */
    public Optional<NodeUsage> find(Amounts need, NodeConstraints constraints) {
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return Optional.ofNullable(accounts.get(only.get()))
                    .filter(account -> account.covers(need) && admits(account, constraints));
        }
        boolean individually = readsIndividually(constraints);
        Optional<ResourceName> rarest = need.smallestBy(this::shelvesWith);
        @Nullable ResourceName device = rarest.filter(ResourceName::isExtended).orElse(null);
        NodeBucket.BucketQuery wanted = new NodeBucket.BucketQuery(need, device);
        for (NodeBucket shelf : device == null ? inOrder : byDevice.getOrDefault(device, List.of())) {
            if (shelf.mayHave(wanted) && (individually || letsIn(shelf, constraints))) {
                NodeUsage found = shelf.first(wanted, account -> !individually || admits(account, constraints));
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    /** As {@link NodeUsage#admits}; a decision asks the same about many candidates, one after the other. */
    public boolean admits(NodeUsage account, NodeConstraints constraints) {
        if (!constraints.areMany()) {
            return account.admits(constraints);
        }
        if (!rememberedFor.equals(constraints)) {
            remembered.clear();
            rememberedFor = constraints;
        }
        return remembered.computeIfAbsent(account, asked -> asked.admits(constraints));
    }

    private boolean letsIn(NodeBucket shelf, NodeConstraints constraints) {
        NodeUsage any = shelf.any();
        return any != null && admits(any, constraints);
    }

    /** Nodes of one shelf may differ for such a pod. */
    public boolean readsIndividually(NodeConstraints constraints) {
        return constraints.readsNameOr(namingKeys);
    }

    /** Rises when what was known of shelves does not hold any more. */
    public long groupings() {
        return groupings;
    }

    private int shelvesWith(ResourceName name) {
        return name.isExtended() ? byDevice.getOrDefault(name, List.of()).size() : Integer.MAX_VALUE;
    }

    /** The one node that can be meant. A hostname is looked up where every node's hostname is its name. */
    private Optional<String> onlyNode(NodeConstraints constraints) {
        Optional<String> named = constraints.onlyNode();
        if (named.isPresent()) {
            return named;
        }
        Optional<String> hostname = constraints.onlyHostname();
        return hostname.isPresent()
                        && inOrder.stream().allMatch(shelf -> shelf.kind().hostnameIsName())
                ? hostname
                : Optional.empty();
    }
}
