package dev.sluice.ledger;

import static dev.sluice.ledger.Inspection.require;

import com.google.errorprone.annotations.FormatMethod;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.LedgerModel.Demand;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** A random history of a cluster, a gateway that decides, and a ledger that gets events late, twice, or all at once. */
final class History {

    /** A CREATE that was decided and is not stored yet. */
    private record Create(PlacementRequest decided, Instant at, boolean gated) {}

    /** In larger clusters, trying every way takes too long. */
    private static final int FEW_NODES = 6;

    private final SplittableRandom random;
    private final SplittableRandom checks;
    private final int checkEvery;
    /** Pods have different priorities. */
    private final boolean prioritized;

    private final Palette palette;
    private final World world;
    private final List<Create> creates = new ArrayList<>();
    private final List<String> stamps = new ArrayList<>();
    /** Namespaces in which a pod was decided more than once. */
    private final Set<String> retried = new HashSet<>();

    private final Deque<PodEvent> listing = new ArrayDeque<>();

    private Ledger ledger = new Ledger();
    private LedgerModel model = new LedgerModel();
    private int podsTold;
    private int nodesTold;
    private boolean mustList = true;
    private boolean listEnded = true;
    private long serial;
    private LedgerStatistics atRest = ledger.statistics();
    /** What was done last, to explain a failure. */
    private final Deque<String> done = new ArrayDeque<>();

    private final Tally tally = new Tally();

    History(long seed, int nodes, int checkEvery) {
        this.random = new SplittableRandom(seed);
        this.checks = new SplittableRandom(~seed);
        this.palette = new Palette(random, nodes);
        this.world = new World(random, palette, nodes);
        this.checkEvery = checkEvery;
        this.prioritized = seed % 3 == 1;
        listNodes();
    }

    private void run(int operations) {
        for (int i = 0; i < operations; i++) {
            operate();
            tally.operations++;
            if (checkEvery == 1 || checks.nextInt(checkEvery) == 0) {
                check();
            }
        }
        quiesce();
        check();
        require(ledger.statistics().assumed() == 0, "leaked: %s", ledger.statistics());
    }

    @FormatMethod
    private void did(String what, Object... about) {
        if (checkEvery == 1) {
            done.addLast(what.formatted(about));
            if (done.size() > 40) {
                done.removeFirst();
            }
        }
    }

    private void operate() {
        switch (random.nextInt(32)) {
            case 0, 1, 2, 3, 4, 5 -> decide();
            case 6, 7, 8, 9 -> arrive();
            case 11 -> reinvoke();
            case 12 -> bypass();
            case 10, 13, 14, 15, 16, 17 -> live();
            case 18 -> {
                if (random.nextInt(3) == 0) {
                    world.changeNode();
                }
            }
            case 19, 20, 21, 22, 23, 24, 25 -> hear();
            case 26 -> hearNode();
            case 27 -> replay();
            case 28 -> pass();
            case 29 -> later(random.nextInt(6));
            case 30 -> relist();
            default -> {
                switch (random.nextInt(200)) {
                    case 0 -> restart();
                    case 1, 2, 3, 4, 5 -> listNodes();
                    default -> hear();
                }
            }
        }
    }

    /** The gateway decides, whether there is room or not. */
    private void decide() {
        if (creates.size() >= 8 || world.isFull()) {
            arrive();
            return;
        }
        serial++;
        Amounts need = palette.need();
        NodeConstraints constraints = palette.constraints();
        String namespace = namespace();
        // A pod with a name is tried again, or it is the first of its namespace.
        PlacementOrigin origin = retried.contains(namespace) || random.nextBoolean()
                ? PlacementOrigin.any("pod", null)
                : PlacementOrigin.UNKNOWN;
        endNamed(namespace, origin.name());
        PodPriority priority = priority();
        boolean byPriority = !ledger.isFree(need, constraints) && ledger.isFreeByPriority(need, constraints, priority);
        boolean free = byPriority || ledger.isFree(need, constraints);
        boolean room = free
                || isFreeByPreemption(new PlacementRequest(
                        "s" + serial, namespace, need, constraints, /* promised= */ true, origin, priority));
        if (!room && random.nextInt(4) > 0) {
            did("denied %s", need);
            return;
        }
        PlacementRequest decided =
                new PlacementRequest("s" + serial, namespace, need, constraints, room, origin, priority);
        long overcommitted = ledger.statistics().overcommitted();
        boolean critical = free && !prioritized && overcommitted > 0 && model.nodes.size() <= FEW_NODES;
        Map<String, String> pinned = critical ? pinned() : Map.of();
        List<List<Demand>> possible = critical ? possible(pinned) : List.of();
        did("decided %s", decided);
        assume(decided, free);
        creates.add(new Create(decided, world.now, random.nextInt(30) == 0));
        stamps.add(decided.stamp());
        tally.admitted += room ? 1 : 0;
        tally.prior += byPriority ? 1 : 0;
        if (critical) {
            tally.critical++;
            tally.missed += possible.isEmpty() ? 0 : 1;
            tally.taken += leaves(possible, pinned) ? 0 : 1;
        }
        long now = ledger.statistics().overcommitted();
        require(
                prioritized || ((free || !room) ? now == overcommitted : now <= overcommitted),
                "admitting %s was too much",
                decided);
    }

    /** A new one, or that of a pod with a name that was decided before and is not stored yet. */
    private String namespace() {
        Create create = creates.isEmpty() || random.nextInt(4) > 0 ? null : creates.get(random.nextInt(creates.size()));
        if (create == null || !create.decided().origin().isNamed()) {
            return "d" + serial;
        }
        retried.add(create.decided().namespace());
        return create.decided().namespace();
    }

    private PodPriority priority() {
        if (!prioritized) {
            return PodPriority.NORMAL;
        }
        return switch (random.nextInt(6)) {
            case 0 -> new PodPriority(-10, /* preempts= */ true);
            case 1 -> new PodPriority(1_000, /* preempts= */ true);
            case 2 -> new PodPriority(100, /* preempts= */ random.nextBoolean());
            default -> PodPriority.NORMAL;
        };
    }

    private void endNamed(String namespace, String name) {
        long overcommitted = ledger.statistics().overcommitted();
        ledger.endNamed(namespace, name);
        model.endNamed(namespace, name);
        require(
                prioritized || ledger.statistics().overcommitted() <= overcommitted,
                "less is reserved after %s/%s was tried again",
                namespace,
                name);
    }

    private boolean isFreeByPreemption(PlacementRequest preemptor) {
        boolean free = ledger.isFree(preemptor.need(), preemptor.constraints())
                || ledger.isFreeByPriority(preemptor.need(), preemptor.constraints(), preemptor.priority());
        boolean due = !free && ledger.isFreeByPreemption(preemptor, world.now);
        boolean must = !prioritized
                && !retried.contains(preemptor.namespace())
                && fair(preemptor).oneMustBeVictim();
        require(free || due || !must, "somebody has so much that %s must have its share", preemptor);
        return due;
    }

    private FairModel fair(PlacementRequest preemptor) {
        return new FairModel(ledger, model, preemptor.need(), preemptor.constraints(), world.now, retried);
    }

    private void assume(PlacementRequest decided, boolean free) {
        FairModel fair = fair(decided);
        LedgerAssumeResult assumed = ledger.assume(decided, world.now);
        did("gave way: %s", assumed.preempted());
        require(assumed.notReserved().isEmpty(), "%s is not kept", decided);
        require(assumed.preempted().isEmpty() == (free || !decided.promised()), "%s: %s", decided, assumed);
        require(
                prioritized || fair.mayBeVictims(Set.copyOf(assumed.preempted())),
                "%s had no more than their share",
                assumed);
        tally.preempted += assumed.preempted().size();
        model.preempted(assumed.preempted());
        model.assume(decided, world.now);
    }

    /** Whether those that could be placed before the new demand still can. */
    private boolean leaves(List<List<Demand>> possible, Map<String, String> pinned) {
        Demand preemptor = model.demands().getLast();
        return possible.stream().allMatch(together -> {
            List<Demand> withNewcomer = new ArrayList<>(together);
            withNewcomer.add(preemptor);
            return new Packing(model, pinned).holds(withNewcomer);
        });
    }

    /**
     * The placed demands that were promised room, together with one pending demand, if they fit together: a new demand
     * must not make this impossible.
     */
    private List<List<Demand>> possible(Map<String, String> pinned) {
        Set<String> placed = ledger.podUsages().stream()
                .filter(podUsage -> podUsage.tentative() != null)
                .map(LedgerPodUsage::pod)
                .collect(Collectors.toSet());
        List<Demand> movable = model.demands().stream()
                .filter(demand -> demand.room() && placed.contains(demand.pod()) && !pinned.containsKey(demand.pod()))
                .toList();
        List<List<Demand>> possible = new ArrayList<>();
        for (Demand demand : model.demands()) {
            if (demand.room() && !placed.contains(demand.pod())) {
                List<Demand> together = new ArrayList<>(List.of(demand));
                together.addAll(movable);
                if (new Packing(model, pinned).holds(together)) {
                    possible.add(together);
                }
            }
        }
        return possible;
    }

    /** The nodes of nominated pods. */
    private Map<String, String> pinned() {
        Map<String, String> places = new HashMap<>();
        ledger.podUsages()
                .forEach(podUsage ->
                        places.put(podUsage.pod(), podUsage.tentative() == null ? "" : podUsage.tentative()));
        for (Demand demand : model.demands()) {
            String place = places.getOrDefault(demand.pod(), "");
            if (!model.nodes.containsKey(place) || !demand.isPinnedTo(place)) {
                places.remove(demand.pod());
            }
        }
        return places;
    }

    /** A create ends: the pod is stored, as decided or changed by others, or refused by a quota or a lost client. */
    private void arrive() {
        if (creates.isEmpty()) {
            return;
        }
        Create create = creates.remove(random.nextInt(creates.size()));
        PlacementRequest decided = create.decided();
        if (random.nextInt(8) == 0) {
            did("refused %s", decided.stamp());
            return;
        }
        if (random.nextInt(30) == 0) {
            did("ended unseen %s", decided.stamp());
            world.end(decided.namespace(), decided.stamp());
            return;
        }
        Amounts requests = random.nextInt(12) == 0 ? palette.need() : decided.need();
        NodeConstraints constraints = decided.constraints();
        Pod.Place place = create.gated()
                ? new Pod.Place.Gated()
                : constraints.nodeName() != null
                        ? new Pod.Place.Bound(constraints.nodeName())
                        : new Pod.Place.Unbound(constraints, null);
        did("stored %s as %s %s", decided.stamp(), place, requests);
        world.create(decided.namespace(), place, requests, decided.stamp(), decided.priority());
    }

    private void reinvoke() {
        if (creates.isEmpty()) {
            return;
        }
        int at = random.nextInt(creates.size());
        Create create = creates.get(at);
        PlacementRequest before = create.decided();
        boolean assumed = ledger.isAssumed(before.stamp(), before.namespace());
        require(assumed == model.isAssumed(before.stamp(), before.namespace()), "%s is assumed: %s", before, assumed);
        if (assumed) {
            Amounts need = random.nextInt(3) == 0 ? palette.need() : before.need();
            NodeConstraints constraints = random.nextInt(6) == 0 ? palette.constraints() : before.constraints();
            long overcommitted = ledger.statistics().overcommitted();
            PlacementRequest again = ledger.decideAgain(before.stamp(), () -> decideAgain(before, need, constraints));
            require(
                    prioritized || ledger.statistics().overcommitted() <= overcommitted,
                    "deciding again about %s was too much",
                    again);
            creates.set(at, new Create(again, create.at(), create.gated()));
        }
    }

    private PlacementRequest decideAgain(PlacementRequest before, Amounts need, NodeConstraints constraints) {
        model.forget(before.stamp());
        endNamed(before.namespace(), before.origin().name());
        PodPriority priority = before.priority();
        boolean free = ledger.isFree(need, constraints) || ledger.isFreeByPriority(need, constraints, priority);
        PlacementRequest promised = new PlacementRequest(
                before.stamp(), before.namespace(), need, constraints, /* promised= */ true, before.origin(), priority);
        PlacementRequest again = free || isFreeByPreemption(promised)
                ? promised
                : new PlacementRequest(
                        before.stamp(),
                        before.namespace(),
                        need,
                        constraints,
                        /* promised= */ false,
                        before.origin(),
                        priority);
        did("decided again %s", again);
        assume(again, free);
        tally.again++;
        return again;
    }

    /** A pod is created without a decision: with no stamp, a forged one or a copied one. */
    private void bypass() {
        if (world.isFull()) {
            return;
        }
        String copied =
                stamps.isEmpty() ? "" : stamps.get(stamps.size() - 1 - random.nextInt(Math.min(6, stamps.size())));
        String stamp = switch (random.nextInt(4)) {
            case 0 -> "forged";
            case 1, 2 -> copied;
            default -> "";
        };
        String namespace = random.nextInt(3) == 0 && stamp.startsWith("s") ? "d" + stamp.substring(1) : "team";
        Pod.Place place = switch (random.nextInt(8)) {
            case 0 -> new Pod.Place.Gated();
            case 1 -> new Pod.Place.Bound(palette.nodeName());
            default -> new Pod.Place.Unbound(palette.constraints(), palette.nominated());
        };
        did("bypassed %s with %s", place, stamp);
        world.create(namespace, place, palette.need(), stamp, priority());
    }

    private void live() {
        Pod pod = world.anyPod();
        if (pod == null) {
            return;
        }
        boolean bound = pod.place() instanceof Pod.Place.Bound;
        switch (random.nextInt(bound ? 5 : 12)) {
            case 0, 1, 6 -> world.remove(pod);
            case 2 -> world.touch(pod);
            case 3 -> world.resize(pod);
            case 4, 5 -> {
                if (bound && (world.isFull() || random.nextBoolean())) {
                    world.remove(pod);
                } else {
                    world.proceed(pod);
                }
            }
            default -> world.proceed(pod);
        }
    }

    private void tell(PodEvent event) {
        did("told %s", event);
        require(!ledger.apply(event), "a pod does not change what nodes offer");
        model.apply(event);
    }

    /** The ledger gets a few events of the watch, or the next page of a list. */
    private void hear() {
        if (!listing.isEmpty()) {
            tell(listing.removeFirst());
            listEnded = listing.isEmpty();
        } else if (mustList) {
            relist();
        } else {
            for (int left = random.nextInt(3); left >= 0 && podsTold < world.podLog.size(); left--) {
                tell(world.podLog.get(podsTold++));
            }
        }
    }

    private void hearNode() {
        for (int left = random.nextInt(3); left >= 0 && nodesTold < world.nodeLog.size(); left--) {
            tellNode(world.nodeLog.get(nodesTold++));
        }
    }

    private void tellNode(NodeEvent event) {
        did("told %s", event);
        var _ = ledger.apply(event);
        model.apply(event);
    }

    private void listNodes() {
        List<Node> nodes = List.copyOf(world.nodes.values());
        if (random.nextBoolean()) {
            tellNode(new NodeEvent.NodesListed(nodes, world.version()));
        } else {
            int page = 1 + random.nextInt(4);
            tellNode(new NodeEvent.NodeListBegun());
            for (int from = 0; from < nodes.size(); from += page) {
                tellNode(new NodeEvent.NodesPage(nodes.subList(from, Math.min(from + page, nodes.size()))));
            }
            tellNode(new NodeEvent.NodeListEnded(world.version(), world.now));
        }
        nodesTold = world.nodeLog.size();
    }

    /** A watch that is resumed at an older version repeats some events, which are no news. */
    private void replay() {
        if (mustList || !listing.isEmpty()) {
            return;
        }
        for (int i = Math.max(0, podsTold - random.nextInt(6)); i < podsTold; i++) {
            did("told again %s", world.podLog.get(i));
            require(!ledger.apply(world.podLog.get(i)), "a pod does not change what nodes offer");
        }
        for (int i = Math.max(0, nodesTold - random.nextInt(3)); i < nodesTold; i++) {
            require(!ledger.apply(world.nodeLog.get(i)), "%s was told before", world.nodeLog.get(i));
        }
    }

    /** A bookmark, or the proof that every event up to a moment was sent. */
    private void pass() {
        if (mustList || !listing.isEmpty() || podsTold == 0) {
            return;
        }
        boolean all = podsTold == world.podLog.size();
        if (random.nextBoolean()) {
            tell(new PodEvent.PodsBookmark(all ? world.version() : version(world.podLog.get(podsTold - 1))));
        } else {
            // Everything that was stored before the next event; the read that proves it may have begun any time before.
            Instant upTo = all ? world.now : world.stored.get(podsTold).minusMillis(1);
            tell(new PodEvent.PodsSyncedUpTo(upTo));
        }
    }

    private static long version(PodEvent event) {
        return switch (event) {
            case PodEvent.PodSeen seen -> seen.pod().resourceVersion();
            case PodEvent.PodRemoved removed -> removed.resourceVersion();
            default -> 0;
        };
    }

    private void later(int seconds) {
        world.now = world.now.plusSeconds(seconds);
        creates.removeIf(create -> create.at().plusSeconds(34).isBefore(world.now));
    }

    /** The watch or the current list has failed, and all pods are listed again. */
    private void relist() {
        if (!mustList && random.nextInt(4) > 0) {
            return;
        }
        listing.clear();
        listing.add(new PodEvent.ListBegun());
        world.pages().forEach(page -> listing.add(new PodEvent.PodsPage(page)));
        listing.add(new PodEvent.ListEnded(world.version(), world.now));
        podsTold = world.podLog.size();
        mustList = false;
        listEnded = false;
    }

    /**
     * A new process knows nothing, and decides only after the pods that the former one admitted are stored or refused.
     */
    private void restart() {
        while (!creates.isEmpty()) {
            arrive();
        }
        did("restarted");
        ledger = new Ledger();
        model = new LedgerModel();
        listNodes();
        listing.clear();
        mustList = true;
        relist();
        finishList();
        atRest = ledger.statistics();
    }

    private void finishList() {
        while (!listing.isEmpty() || mustList) {
            hear();
        }
    }

    private void quiesce() {
        while (!creates.isEmpty()) {
            arrive();
        }
        finishList();
        later(40);
        while (podsTold < world.podLog.size()) {
            hear();
        }
        while (nodesTold < world.nodeLog.size()) {
            hearNode();
        }
        tell(new PodEvent.PodsSyncedUpTo(world.now));
    }

    private void check() {
        Inspection inspection = new Inspection(ledger, model);
        inspection.check();
        for (int i = 0; i < 2; i++) {
            Palette any = new Palette(checks, world.nodes.size() + 1);
            PodPriority priority =
                    prioritized ? new PodPriority(checks.nextInt(3) * 100, /* preempts= */ true) : PodPriority.NORMAL;
            Demand demand = new Demand("", any.need(), any.constraints(), null, /* room= */ false, priority);
            boolean free = ledger.isFree(demand.need(), demand.constraints());
            require(free == inspection.fitsSomewhere(demand.need(), demand), "%s is free: %s", demand, free);
            boolean prior = ledger.isFreeByPriority(demand.need(), demand.constraints(), priority);
            require(
                    free || prior == inspection.fitsByPreemption(demand),
                    "%s is free by preemption: %s",
                    demand,
                    prior);
        }
        checkEvictions();
    }

    /** Every overcommitted pod was counted as an eviction. */
    private void checkEvictions() {
        if (!listEnded) {
            return;
        }
        LedgerStatistics now = ledger.statistics();
        long counted = now.evictions() - atRest.evictions();
        require(
                now.overcommitted() - atRest.overcommitted() <= counted,
                "%s after %s: broken promises that are not counted",
                now,
                atRest);
        atRest = now;
    }

    /** Runs the history; an {@link AssertionError} says what was done before it failed. */
    Tally lived(int operations) {
        try {
            run(operations);
            return tally;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(failure + "\n  " + String.join("\n  ", done) + "\n" + model, failure);
        }
    }
}
