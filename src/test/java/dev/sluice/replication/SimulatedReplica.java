package dev.sluice.replication;

import dev.sluice.replication.SimulatedApiServer.PodChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/** A process: the replica under test with a ledger, a watch that lags, and the reviews it handles. */
final class SimulatedReplica {

    static final int DEVICES = 4;
    /** The change of an entry that only ends a reservation. */
    private static final int END = 0;

    private static final long TICK = 100;
    private static final long STALE = 1_500;
    private static final long GRACE = 3_000;
    /** How long a machine may be suspended without its clock noticing it, as in {@code ProcessClock}. */
    static final long LONGEST_UNNOTICED = 2;

    private final Simulation simulation;
    private final World world;
    private final Member member;
    private final Replica<Integer> replica;
    /** What the clock of this process is ahead of the world's. */
    private final long skew;

    private final SimulatedLedger ledger;
    /** Who waits for the answers that are not released yet, by stamp. */
    private final Map<String, List<Simulation.Asked>> asked = new HashMap<>();

    /** What is still told of reservations that have ended, by stamp, with the time until when. */
    private final Map<String, Long> ends = new HashMap<>();

    private int seen;
    private long watchedUpTo;
    /** The same moment by the clock of this process. */
    private long watchedUpToHere;

    private long watchFrozenUntil;
    private boolean alive = true;
    private boolean leaving;
    private long pausedUntil;
    /** How long the timers of this process stood still with its machine during the present pause. */
    private long suspendedFor;

    private long wokeUpAt = Long.MIN_VALUE;
    /** How long the machine was suspended in all without the clock having noticed it yet. */
    private long unnoticed;

    private final Queue<Runnable> missed = new ArrayDeque<>();
    private boolean turnDue;

    SimulatedReplica(Simulation simulation, World world, Member member, int version, SimulatedLedger ledger) {
        this.simulation = simulation;
        this.world = world;
        this.member = member;
        this.ledger = ledger;
        this.replica = new Replica<>(member, "cluster", Simulation.TIMES, _ -> 0, version);
        this.skew = world.between(0, 1_000_000);
        this.watchedUpTo = world.now();
        this.watchedUpToHere = clock();
        list();
        world.in(world.between(1, TICK), this::tick);
    }

    /** The first list shows only the pods that exist, and not those that have come and gone. */
    private void list() {
        List<PodChange> history = simulation.history();
        while (seen < history.size() && history.get(seen).at() < watchedUpTo) {
            seen++;
        }
        List<PodChange> before = history.subList(0, seen);
        Set<String> ended = before.stream()
                .filter(change -> !change.stored())
                .map(PodChange::uid)
                .collect(Collectors.toSet());
        for (int number = 0; number < seen; number++) {
            if (!ended.contains(before.get(number).uid())) {
                ledger.see(before.get(number), number);
            }
        }
    }

    @Override
    public String toString() {
        return member.identity();
    }

    Member member() {
        return member;
    }

    Replica<Integer> replica() {
        return replica;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isLeaving() {
        return leaving;
    }

    private boolean isPaused() {
        return world.now() < pausedUntil;
    }

    private boolean isSuspended() {
        return isPaused() && suspendedFor > 0;
    }

    /** The clock goes on while the machine is suspended, as {@code ProcessClockTest} shows, but for a short time. */
    private long clock() {
        return world.now() + skew - unnoticed;
    }

    void crash() {
        alive = false;
    }

    void pause(long millis) {
        if (isSuspended()) {
            return;
        }
        pausedUntil = world.now() + millis;
        world.in(millis, this::wakeUp);
    }

    /** The machine stands still, and with it the timers of this process. Most of what is sent to it is lost. */
    void suspend(long millis) {
        if (isPaused()) {
            return;
        }
        pause(millis);
        suspendedFor = millis;
        unnoticed += millis;
        if (unnoticed > LONGEST_UNNOTICED) {
            unnoticed = 0;
        }
    }

    /** A process that was stopped finds its timers due and its sockets full. */
    private void wakeUp() {
        if (isPaused()) {
            return;
        }
        if (suspendedFor > 0) {
            suspendedFor = 0;
            wokeUpAt = world.now();
        }
        while (!missed.isEmpty()) {
            missed.remove().run();
        }
    }

    void freezeWatch(long millis) {
        watchFrozenUntil = world.now() + millis;
    }

    /** The process is asked for decisions until its drain ends. It ends at the latest when its grace period is over. */
    void leave() {
        leaving = true;
        world.in(GRACE, this::crash);
        when(() -> perform(replica.leave(clock())));
        world.in(world.between(0, GRACE), () -> when(() -> perform(replica.end(clock()))));
    }

    /** A message or an answer arrives. */
    void arrives(Runnable task) {
        if (!isSuspended() || world.happens(0.2)) {
            when(task);
        }
    }

    /** Runs a task on the loop of this process: later if it is stopped, and never if it is dead. */
    void when(Runnable task) {
        if (alive && isPaused()) {
            missed.add(() -> when(task));
        } else if (alive) {
            task.run();
        }
    }

    private void tick() {
        if (!alive) {
            return;
        }
        if (!isPaused()) {
            watch();
            perform(replica.tick(clock()));
            if (replica.hasLeft() && world.happens(0.2)) {
                alive = false;
            }
        }
        world.in(isSuspended() ? suspendedFor : Math.max(TICK, pausedUntil - world.now()), this::tick);
    }

    private void watch() {
        if (world.now() >= watchFrozenUntil) {
            long moment = world.now() - world.between(1, simulation.watchLag());
            if (moment > watchedUpTo && moment >= wokeUpAt) {
                watchedUpTo = moment;
                watchedUpToHere = clock() - (world.now() - moment);
            }
        }
        List<PodChange> history = simulation.history();
        while (seen < history.size() && history.get(seen).at() < watchedUpTo) {
            simulation.note(this, history.get(seen));
            ledger.see(history.get(seen), seen);
            seen++;
        }
        List<String> expired = ledger.watched(watchedUpToHere);
        if (replica.isLeading() && !expired.isEmpty()) {
            expired.forEach(stamp -> {
                keepEnd(stamp);
                replica.decided(stamp, stamp, END);
            });
            perform(replica.endTurn(clock()));
        }
        ends.values().removeIf(over -> clock() >= over);
        perform(replica.watched(watchedUpToHere, isCurrent(), clock()));
        replica.prune(
                entry -> entry.change() == END ? ends.containsKey(entry.stamp()) : ledger.isReserved(entry.stamp()),
                clock());
    }

    private void keepEnd(String stamp) {
        ends.put(stamp, clock() + Simulation.TIMES.longestCreate());
    }

    private boolean isCurrent() {
        return clock() - watchedUpToHere < STALE;
    }

    SimulatedLedger ledger() {
        return ledger;
    }

    // Reviews

    /** Asks whoever decides, until there is an answer or the caller has gone. */
    void handle(Simulation.Review review) {
        if (!alive || review.isOver(world.now())) {
            return;
        }
        when(() -> {
            if (replica.isLeading()) {
                decide(new Simulation.Asked(review, this));
            } else {
                replica.holder()
                        .flatMap(simulation::process)
                        .ifPresent(holder -> simulation
                                .weather()
                                .carry(
                                        this,
                                        holder,
                                        () -> holder.arrives(() -> holder.decide(new Simulation.Asked(review, this)))));
            }
        });
        world.in(200, () -> handle(review));
    }

    private void decide(Simulation.Asked call) {
        if (!replica.mayDecide(clock()) || !isCurrent()) {
            return;
        }
        Simulation.Review review = call.review();
        Optional<ReplicatedEntry<Integer>> earlier = replica.entryOf(review.uid());
        if (earlier.isPresent() && earlier.get().term() == replica.term()) {
            List<Simulation.Asked> waiting = asked.get(earlier.get().stamp());
            if (waiting == null) {
                reply(call, earlier.get().stamp());
            } else {
                waiting.add(call);
            }
            return;
        }
        String stamp = simulation.newStamp();
        if (!ledger.reserve(stamp, earlier.map(ReplicatedEntry::stamp).orElse(""), review.need(), clock())) {
            reply(call, "");
            return;
        }
        simulation.note(this, stamp + " for " + review.uid() + ": " + ledger.state());
        asked.put(stamp, new ArrayList<>(List.of(call)));
        replica.decided(stamp, review.uid(), review.need());
        if (!turnDue) {
            turnDue = true;
            world.in(
                    world.between(0, 1),
                    () -> when(() -> {
                        turnDue = false;
                        perform(replica.endTurn(clock()));
                    }));
        }
    }

    /** @param stamp empty if the pod is denied */
    private void reply(Simulation.Asked call, String stamp) {
        SimulatedReplica to = call.by();
        if (to == this) {
            simulation.answer(call.review(), stamp, this);
        } else {
            simulation.weather().carry(this, to, () -> to.arrives(() -> simulation.answer(call.review(), stamp, to)));
        }
    }

    // What the replica wants

    private void perform(List<ReplicationOutput<Integer>> outputs) {
        for (ReplicationOutput<Integer> output : outputs) {
            simulation.note(this, output);
            switch (output) {
                case ReplicationOutput.Send<Integer>(Member to, ReplicationEnvelope<Integer> envelope) ->
                    simulation
                            .process(to)
                            .ifPresent(other -> simulation
                                    .weather()
                                    .carry(
                                            this,
                                            other,
                                            () -> other.arrives(() ->
                                                    other.perform(other.replica.receive(envelope, other.clock())))));
                case ReplicationOutput.ReadLease<Integer>(long request) ->
                    simulation
                            .apiServer()
                            .read(
                                    this,
                                    record -> arrives(() -> perform(replica.leaseRead(request, record, clock()))),
                                    () -> when(() -> perform(replica.leaseFailed(request, clock()))));
                case ReplicationOutput.WriteLease<Integer> write -> write(write);
                case ReplicationOutput.ApplyEntry<Integer>(
                        ReplicatedEntry<Integer> entry,
                        List<ReplicatedEntry<Integer>> replaced) -> follow(entry, replaced);
                case ReplicationOutput.ForgetEntry<Integer>(ReplicatedEntry<Integer> entry) ->
                    ledger.forget(entry.stamp());
                case ReplicationOutput.ReleaseAnswer<Integer>(String stamp) -> {
                    simulation.released(this, replica.term());
                    List<Simulation.Asked> waiting = asked.remove(stamp);
                    if (waiting != null) {
                        waiting.forEach(call -> reply(call, stamp));
                    }
                }
                case ReplicationOutput.AbandonAnswer<Integer>(String stamp) -> asked.remove(stamp);
            }
        }
    }

    private void follow(ReplicatedEntry<Integer> entry, List<ReplicatedEntry<Integer>> replaced) {
        if (entry.change() == END) {
            ledger.forget(entry.stamp());
            keepEnd(entry.stamp());
        } else {
            ledger.follow(entry, replaced, clock());
        }
    }

    private void write(ReplicationOutput.WriteLease<Integer> write) {
        simulation
                .apiServer()
                .write(
                        this,
                        write.basis(),
                        write.content(),
                        (answer, version) -> arrives(() -> {
                            long request = write.request();
                            if (simulation.apiServer().isFirst(version)) {
                                replica.startedFirst();
                            }
                            perform(
                                    switch (answer) {
                                        case DONE -> replica.leaseWritten(request, version, clock());
                                        case REFUSED -> replica.leaseRefused(request, clock());
                                        case FAILED -> replica.leaseFailed(request, clock());
                                    });
                        }));
    }
}
