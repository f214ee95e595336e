package dev.sluice.replication;

import dev.sluice.replication.SimulatedApiServer.PodChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One schedule of everything that may happen to three replicas, from one seed: the same seed gives the same schedule.
 * First there are faults and reviews, then all is well and nothing is asked for, until every reservation has ended.
 *
 * <p>A pod counts from the moment its answer reaches the API server in time, if it is stored later. More of them than
 * there are devices are an over-admission.
 */
final class Simulation {

    /** Shorter times than the real ones, in the same order. */
    static final ReplicationTimes TIMES = new ReplicationTimes(100, 350, 250, 500, 400, 2_000, 3_000, 3_000, 600);

    private static final long FAULTS_UNTIL = 6_000;
    /** A holder must be suspended long enough for another replica to take over and to wait. */
    private static final long FAULTS_UNTIL_WITH_SUSPENSION = 14_000;

    private static final int FAULTS = 12;
    /**
     * A replica waits twice if it has taken the term of a former holder, because somebody has edited the Lease, and
     * learns of it from a third one.
     */
    private static final long QUIET = 2 * (TIMES.leaseDuration() + TIMES.longestCreate()) + 4_000;

    /** A review that has come to one process. */
    static final class Review {
        private final String uid;
        private final int need;
        private final long arrivedAt;
        private boolean answered;

        Review(String uid, int need, long arrivedAt) {
            this.uid = uid;
            this.need = need;
            this.arrivedAt = arrivedAt;
        }

        String uid() {
            return uid;
        }

        int need() {
            return need;
        }

        boolean isOver(long now) {
            return answered || now - arrivedAt > 2_000;
        }
    }

    /** A review, and the process that waits for its answer. */
    record Asked(Review review, SimulatedReplica by) {}

    /** What was seen in schedules. */
    static final class Counts {
        long given;
        long denied;
        long takeovers;
    }

    private final World world;
    private final Weather weather;
    private final SimulatedApiServer apiServer;
    private final Map<Member, SimulatedReplica> processes = new LinkedHashMap<>();
    private final Counts counts;
    /** Who has answered in each term. */
    private final Map<Long, SimulatedReplica> holders = new HashMap<>();

    private boolean edited;

    private final Set<String> effective = new HashSet<>();
    private int effectiveDevices;
    private long watchLag = 100;
    private long lastTerm;
    private int members;
    private int stamps;
    private int uids;
    /** The quiet takes twice as long as the faults, so that only every fourth schedule has it. */
    private final boolean withQuiet;
    /** Machines are suspended in some schedules only, because these take longer. */
    private final boolean withSuspension;
    /** The ledgers of the gateway are slower than those that count devices. */
    private final boolean withGatewayLedgers;

    private String violation = "";
    private @Nullable List<String> trace;

    private Simulation(long seed, Counts counts) {
        this.world = new World(seed);
        this.weather = new Weather(world);
        this.apiServer = new SimulatedApiServer(world, weather);
        this.counts = counts;
        this.withQuiet = seed % 4 == 0;
        this.withSuspension = seed % 4 == 1;
        this.withGatewayLedgers = seed % 8 == 0 || seed % 8 == 1;
    }

    /** Runs schedules. Returns the seed of the first that failed with what went wrong; empty if all went well. */
    static String firstFailure(long from, long to, Counts counts) {
        for (long seed = from; seed < to; seed++) {
            String failure = new Simulation(seed, counts).run();
            if (!failure.isEmpty()) {
                return "seed " + seed + ": " + failure;
            }
        }
        return "";
    }

    static String firstFailure(long from, long to) {
        return firstFailure(from, to, new Counts());
    }

    /** Runs one schedule. Returns all that its replicas did, and what went wrong at last. */
    static List<String> traced(long seed) {
        Simulation simulation = new Simulation(seed, new Counts());
        List<String> lines = new ArrayList<>();
        simulation.trace = lines;
        lines.add(simulation.run());
        return lines;
    }

    /** Notes what happens, if the schedule is traced. */
    void note(SimulatedReplica who, Object what) {
        if (trace != null) {
            trace.add(world.now() + " " + who + " " + what);
        }
    }

    Weather weather() {
        return weather;
    }

    SimulatedApiServer apiServer() {
        return apiServer;
    }

    List<PodChange> history() {
        return apiServer.history();
    }

    long watchLag() {
        return watchLag;
    }

    Optional<SimulatedReplica> process(Member member) {
        return Optional.ofNullable(processes.get(member));
    }

    String newStamp() {
        return "s" + ++stamps;
    }

    private String run() {
        long replicas = world.happens(0.1) ? 1 : world.between(2, 3);
        for (int i = 0; i < replicas; i++) {
            start();
        }
        world.runUntil(world.between(0, 1_500));
        weather.becomeRough();
        watchLag = world.happens(0.6) ? 100 : world.between(100, 1_200);
        long pace = world.happens(0.5) ? world.between(10, 100) : world.between(100, 400);
        double faults = world.happens(0.5) ? 0.1 : 0.25;
        long faultsUntil = withSuspension ? FAULTS_UNTIL_WITH_SUSPENSION : FAULTS_UNTIL;
        while (world.now() < faultsUntil && violation.isEmpty()) {
            if (world.happens(faults)) {
                fault();
            } else {
                review();
            }
            world.runUntil(world.now() + world.between(1, 2 * pace));
            noteTerm();
        }
        return violation.isEmpty() && withQuiet ? quiet() : violation;
    }

    private String quiet() {
        weather.becomeFine();
        watchLag = 100;
        if (living().stream().allMatch(SimulatedReplica::isLeaving)) {
            start();
        }
        world.runUntil(world.now() + QUIET);
        return violation.isEmpty() ? afterQuiet() : violation;
    }

    private void noteTerm() {
        long term = apiServer.lease().map(stored -> stored.content().term()).orElse(lastTerm);
        if (term > lastTerm) {
            counts.takeovers++;
        }
        lastTerm = Math.max(lastTerm, term);
    }

    private void start() {
        Member member = new Member("r" + ++members, "");
        // Some are of a later release, whose messages the others do not understand.
        int version = Replica.VERSION + (members % 3 == 0 ? 1 : 0);
        SimulatedLedger ledger = withGatewayLedgers ? new LedgerOfAReplica() : new CountedDevices();
        processes.put(member, new SimulatedReplica(this, world, member, version, ledger));
    }

    private List<SimulatedReplica> living() {
        return processes.values().stream().filter(SimulatedReplica::isAlive).toList();
    }

    private SimulatedReplica anyOf(List<SimulatedReplica> some) {
        return some.get(world.pick(some.size()));
    }

    private void review() {
        List<SimulatedReplica> living = living();
        if (!living.isEmpty()) {
            Review review = new Review("u" + ++uids, world.happens(0.8) ? 1 : 2, world.now());
            anyOf(living).handle(review);
        }
    }

    /** There are never two holders of one term, unless somebody has edited or deleted the Lease. */
    void released(SimulatedReplica by, long term) {
        SimulatedReplica holder = holders.putIfAbsent(term, by);
        if (holder != null && holder != by && !edited) {
            violation = "two holders at " + world.now() + ": " + by + " and " + holder + " answer in term " + term;
        }
    }

    /** An answer has reached the process that waits for it. */
    void answer(Review review, String stamp, SimulatedReplica by) {
        if (!by.isAlive() || review.isOver(world.now())) {
            return;
        }
        review.answered = true;
        if (stamp.isEmpty()) {
            counts.denied++;
            return;
        }
        counts.given++;
        if (world.happens(0.05)) {
            // Another webhook refuses the pod.
            return;
        }
        // The API server counts from the arrival of the pod, which is a little before the arrival of the review.
        long latest = review.arrivedAt + TIMES.longestCreate() - 1 - SimulatedReplica.LONGEST_UNNOTICED;
        long storedAt = world.happens(0.4) ? world.now() + world.between(0, 50) : world.between(world.now(), latest);
        effective.add(review.uid);
        effectiveDevices += review.need;
        if (effectiveDevices > SimulatedReplica.DEVICES) {
            violation = "over-admission at " + world.now() + ": " + effective + " take " + effectiveDevices;
        }
        world.in(Math.min(storedAt, latest) - world.now(), () -> stored(review, stamp));
    }

    private void stored(Review review, String stamp) {
        apiServer.store(new PodChange(world.now(), review.uid, stamp, review.need, /* stored= */ true));
        world.in(world.between(50, 2_000), () -> {
            apiServer.store(new PodChange(world.now(), review.uid, stamp, review.need, /* stored= */ false));
            effective.remove(review.uid);
            effectiveDevices -= review.need;
        });
    }

    private void fault() {
        List<SimulatedReplica> living = living();
        if (living.isEmpty()) {
            start();
            return;
        }
        List<SimulatedReplica> leading =
                living.stream().filter(process -> process.replica().isLeading()).toList();
        SimulatedReplica one = leading.isEmpty() || world.happens(0.5) ? anyOf(living) : anyOf(leading);
        SimulatedReplica other = anyOf(living);
        long time = world.between(50, world.happens(0.5) ? 600 : 4_000);
        int kind = world.pick(FAULTS + (withSuspension ? 4 : 0));
        note(one, "fault " + kind + " for " + time + " ms, with " + other);
        switch (kind) {
            case 0 -> one.crash();
            case 1 -> one.leave();
            case 2, 3 -> one.pause(time);
            case 4, 5, 6 -> {
                if (living.size() < 3) {
                    start();
                }
            }
            case 7 -> weather.cut(one, other, time);
            case 8 -> {
                weather.cut(one, other, time);
                weather.cut(other, one, time);
            }
            case 9 -> weather.cutFromApiServer(one, time);
            case 10 -> {
                if (world.happens(0.5)) {
                    weather.takeTheApiServerAway(time);
                } else {
                    one.freezeWatch(time);
                }
            }
            case 11 -> editLease(one);
            // Several replicas may run on one machine.
            case FAULTS -> living.forEach(each -> each.suspend(time));
            case FAULTS + 1 -> one.suspend(world.between(1, 4));
            default -> one.suspend(world.between(2_000, 9_000));
        }
    }

    /** Somebody edits the Lease by hand, or deletes it. */
    private void editLease(SimulatedReplica one) {
        if (world.happens(0.6)) {
            return;
        }
        edited = true;
        apiServer.lease().map(ReplicationStoredRecord::content).ifPresent(content -> {
            SortedSet<Member> members = new TreeSet<>(content.inSync());
            switch (world.pick(5)) {
                case 0 -> apiServer.edit(null);
                case 1 -> {
                    members.remove(one.member());
                    apiServer.edit(new InSyncRecord(content.holder(), content.term(), members, content.renewal()));
                }
                case 2 -> {
                    members.add(one.member());
                    apiServer.edit(new InSyncRecord(content.holder(), content.term(), members, content.renewal()));
                }
                case 3 -> apiServer.edit(new InSyncRecord(one.member(), content.term(), members, content.renewal()));
                default ->
                    apiServer.edit(new InSyncRecord(
                            content.holder(), Math.max(0, content.term() - 1), members, content.renewal()));
            }
        });
    }

    /** Everybody who lives is in sync, and has the same ledger without any reservation. */
    private String afterQuiet() {
        List<SimulatedReplica> living = living();
        String state = living.stream()
                .map(process -> process + ": leads " + process.replica().isLeading() + " term "
                        + process.replica().term() + " set "
                        + process.replica().inSync().stream()
                                .map(Member::identity)
                                .toList() + " "
                        + process.ledger().state() + " entries "
                        + process.replica().entries())
                .collect(Collectors.joining("; "));
        if (living.stream().filter(process -> process.replica().isLeading()).count() != 1) {
            return "not one holder: " + state;
        }
        if (living.stream()
                .anyMatch(process ->
                        process.ledger().used() != 0 || process.replica().entries() != 0)) {
            return "a leak: " + state;
        }
        Set<Member> everybody =
                living.stream().map(SimulatedReplica::member).collect(Collectors.toCollection(TreeSet::new));
        boolean agree =
                living.stream().allMatch(process -> process.replica().inSync().equals(everybody));
        return agree ? lastReviews(living) : "not all are in sync: " + state;
    }

    /** A review at each replica is answered. */
    private String lastReviews(List<SimulatedReplica> living) {
        List<Review> reviews = new ArrayList<>();
        for (SimulatedReplica process : living) {
            Review review = new Review("u" + ++uids, 1, world.now());
            reviews.add(review);
            process.handle(review);
        }
        world.runUntil(world.now() + 300);
        if (!reviews.stream().allMatch(review -> review.answered)) {
            return "a review was not answered";
        }
        return areEqual(living) ? violation : "the ledgers differ: " + states(living);
    }

    /** Returns true if all ledgers are equal at some moment. Pods come and go, and watches are late by up to 100 ms. */
    private boolean areEqual(List<SimulatedReplica> living) {
        boolean equal = false;
        for (int i = 0; i < 20 && !equal; i++) {
            world.runUntil(world.now() + 25);
            equal = states(living).size() == 1;
        }
        return equal;
    }

    private static Set<String> states(List<SimulatedReplica> living) {
        return living.stream().map(process -> process.ledger().state()).collect(Collectors.toSet());
    }
}
