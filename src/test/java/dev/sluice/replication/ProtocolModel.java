package dev.sluice.replication;

import dev.sluice.replication.ModelState.Cell;
import dev.sluice.replication.ModelState.Common;
import java.util.ArrayList;
import java.util.List;

/**
 * The protocol of shared reservations in its smallest form, for a search of all its states. There is one device, so two
 * answers that give a device are an over-admission.
 *
 * <p>Messages and requests may be lost, repeated and late: what was sent once may arrive at any later time, or never. A
 * replica may crash, and its time may run out, at any moment. Heartbeats and suspicion are not in the model: any member
 * may try to take over at any time.
 */
final class ProtocolModel {

    /** A mistake that an implementation could make. */
    enum Mistake {
        NONE,
        /** A member is not waited for any more before the Lease says so. */
        DROPS_BEFORE_WRITING,
        /** A new member is waited for only after the Lease was written. */
        ADDS_BEFORE_WAITING,
        /** A holder acknowledges entries of a lower term. */
        ACKNOWLEDGES_LOWER_TERMS,
        /** A new holder answers before the other members have what it has. */
        SENDS_NO_SNAPSHOT,
        /** An outsider does not wait until the time of the holder is over. */
        OUTSIDER_IS_TOO_EARLY,
        /** A write without an answer is taken for one that failed. */
        FORGETS_UNKNOWN_WRITES,
        /** A replica decides because it has read that it is the holder. */
        BELIEVES_A_READ_RECORD,
        /** A repeated review is answered from an entry of an older term. */
        ANSWERS_FROM_OLDER_TERMS,
        /** An outsider that still waits adds members, which would take over without waiting. */
        ADDS_WHILE_WAITING
    }

    /**
     * The limits of a search.
     *
     * @param members the first in-sync set as a mask; replica 0 is the first holder
     */
    record Bounds(int replicas, int members, int terms, int writes, int crashes) {}

    // What became of a decision.
    private static final int UNUSED = 0;
    private static final int PENDING = 1;
    private static final int ANSWERED = 2;
    /** Its pod can appear no more. */
    private static final int OVER = 3;

    // Why a replica writes the Lease.
    private static final int NOTHING = 0;
    private static final int TAKE_OVER = 1;
    private static final int DROP = 2;
    private static final int ADD = 3;
    private static final int SEIZE = 4;
    private static final int RENEW = 5;
    private static final int HAND_OVER = 6;
    private static final int CONFIRM = 7;

    // How far a write is.
    private static final int SENT = 1;
    private static final int DONE = 2;
    private static final int REFUSED = 3;

    private static final int DECISIONS = 2;

    private final Bounds bounds;
    private final Mistake mistake;
    private List<ModelState> found = new ArrayList<>();

    ProtocolModel(Bounds bounds, Mistake mistake) {
        this.bounds = bounds;
        this.mistake = mistake;
    }

    ModelState first() {
        ModelState s = new ModelState(bounds.replicas(), DECISIONS, bounds.terms());
        s.setCommon(Common.TERM, 1);
        s.setCommon(Common.SET, bounds.members());
        s.setCommon(Common.VERSION, 1);
        for (int i = 0; i < bounds.replicas(); i++) {
            s.set(i, Cell.ALIVE, true);
            s.set(i, Cell.KNOWN_TERM, 1);
            s.set(i, Cell.KNOWN_SET, bounds.members());
            s.set(i, Cell.KNOWN_VERSION, 1);
            s.set(i, Cell.PROMISED, 1);
        }
        s.set(0, Cell.LEADING, true);
        s.set(0, Cell.VALID, true);
        s.set(0, Cell.LED_TERM, 1);
        s.set(0, Cell.CAUGHT_UP, bounds.members());
        return s;
    }

    /** Returns a state in which the first holder has given the device away and died, and nobody else knows of it. */
    ModelState afterTheHolderDied() {
        ModelState s = first();
        s.fate(0, ANSWERED);
        s.set(0, Cell.LOG, bit(0));
        stepDown(s, 0);
        s.set(0, Cell.ALIVE, false);
        s.setCommon(Common.CRASHES, 1);
        return s;
    }

    static boolean isOverAdmitted(ModelState s) {
        int answered = 0;
        for (int k = 0; k < DECISIONS; k++) {
            answered += s.fate(k) == ANSWERED ? 1 : 0;
        }
        return answered > 1;
    }

    /** Returns every state that can follow. */
    List<ModelState> next(ModelState s) {
        found = new ArrayList<>();
        for (int i = 0; i < bounds.replicas(); i++) {
            if (s.is(i, Cell.ALIVE)) {
                if (s.is(i, Cell.LEADING)) {
                    lead(s, i);
                } else {
                    claim(s, i);
                }
                receive(s, i);
                hearFromTheApiServer(s, i);
                suffer(s, i);
            }
            carryOut(s, i);
        }
        for (int k = 0; k < DECISIONS; k++) {
            if (s.fate(k) == PENDING) {
                // Its caller has gone.
                then(s).fate(k, OVER);
            }
        }
        return found;
    }

    private ModelState then(ModelState s) {
        ModelState next = s.copy();
        found.add(next);
        return next;
    }

    private static int bit(int index) {
        return 1 << index;
    }

    private static boolean has(int mask, int index) {
        return (mask >> index & 1) != 0;
    }

    // The holder

    private void lead(ModelState s, int i) {
        if (s.is(i, Cell.VALID) && !s.is(i, Cell.WAITING)) {
            decide(s, i);
        }
        for (int j = 0; j < bounds.replicas(); j++) {
            if (j != i) {
                collect(s, i, j);
                welcome(s, i, j);
            }
        }
        finishToAdd(s, i);
        if (mayWrite(s, i)) {
            keep(s, i);
        }
        if (s.is(i, Cell.WAITING)) {
            stopWaiting(s, i);
        }
    }

    /** Gives the device if it is free by this ledger, or decides a repeated review anew. */
    private void decide(ModelState s, int i) {
        int log = s.get(i, Cell.LOG);
        int unused = firstUnused(s);
        if (log == 0 && unused >= 0) {
            ModelState n = then(s);
            n.fate(unused, PENDING);
            n.add(i, Cell.LOG, bit(unused));
            n.having(i, unused, bit(i));
            int to = required(n, i) | n.get(i, Cell.CAUGHT_UP);
            for (int j = 0; j < bounds.replicas(); j++) {
                if (j != i && has(to, j)) {
                    n.addEntry(n.get(i, Cell.LED_TERM), j, unused);
                }
            }
            answer(n, i);
        }
        for (int k = 0; k < DECISIONS; k++) {
            boolean mayAnswer = mistake == Mistake.ANSWERS_FROM_OLDER_TERMS ? has(log, k) : log == bit(k);
            if (s.fate(k) == PENDING && mayAnswer && !isOwn(s, i, k)) {
                ModelState n = then(s);
                n.having(i, k, bit(i) | n.get(i, Cell.CAUGHT_UP));
                answer(n, i);
            }
        }
    }

    private static int firstUnused(ModelState s) {
        for (int k = 0; k < DECISIONS; k++) {
            if (s.fate(k) == UNUSED) {
                return k;
            }
        }
        return -1;
    }

    /** Returns true if this holder decided it in its term. */
    private static boolean isOwn(ModelState s, int i, int k) {
        return has(s.having(i, k), i);
    }

    private int required(ModelState s, int i) {
        int uncertain = mistake == Mistake.FORGETS_UNKNOWN_WRITES ? 0 : s.get(i, Cell.UNCERTAIN);
        return s.get(i, Cell.KNOWN_SET) | uncertain | s.get(i, Cell.JOINING);
    }

    /** Releases each answer that all required replicas have acknowledged. */
    private void answer(ModelState s, int i) {
        if (!s.is(i, Cell.LEADING) || !s.is(i, Cell.VALID) || s.is(i, Cell.WAITING)) {
            return;
        }
        int others = required(s, i) & ~bit(i);
        if ((others & ~s.get(i, Cell.CAUGHT_UP)) != 0) {
            return;
        }
        for (int k = 0; k < DECISIONS; k++) {
            if (s.fate(k) == PENDING && isOwn(s, i, k) && (others & ~s.having(i, k)) == 0) {
                s.fate(k, ANSWERED);
            }
        }
    }

    private void collect(ModelState s, int i, int j) {
        int term = s.get(i, Cell.LED_TERM);
        for (int k = 0; k < DECISIONS; k++) {
            if (has(s.entryAcks(term, j), k) && isOwn(s, i, k) && !has(s.having(i, k), j)) {
                ModelState n = then(s);
                n.having(i, k, n.having(i, k) | bit(j));
                answer(n, i);
            }
        }
        if (!has(s.get(i, Cell.CAUGHT_UP), j) && has(s.snapshotAcks(term, j), s.get(i, Cell.LOG))) {
            ModelState n = then(s);
            n.add(i, Cell.CAUGHT_UP, bit(j));
            for (int k = 0; k < DECISIONS; k++) {
                if (isOwn(n, i, k) && has(n.get(i, Cell.LOG), k)) {
                    n.having(i, k, n.having(i, k) | bit(j));
                }
            }
            answer(n, i);
        }
    }

    /** A replica outside of the set gets a snapshot, and is waited for when it has acknowledged it. */
    private void welcome(ModelState s, int i, int j) {
        if (!s.is(j, Cell.ALIVE) || has(required(s, i), j)) {
            return;
        }
        int term = s.get(i, Cell.LED_TERM);
        boolean caughtUp = has(s.get(i, Cell.CAUGHT_UP), j);
        if (!caughtUp && !has(s.snapshots(term, j), s.get(i, Cell.LOG))) {
            then(s).addSnapshot(term, j, s.get(i, Cell.LOG));
        }
        if (!caughtUp || (s.is(i, Cell.WAITING) && mistake != Mistake.ADDS_WHILE_WAITING)) {
            return;
        }
        if (mistake == Mistake.ADDS_BEFORE_WAITING) {
            if (mayWrite(s, i)) {
                ModelState n = then(s);
                write(n, i, ADD, term, i, n.get(i, Cell.KNOWN_SET) | bit(j));
                n.set(i, Cell.UNCERTAIN, 0);
            }
        } else if (s.get(i, Cell.JOINING) == 0) {
            then(s).add(i, Cell.JOINING, bit(j));
        }
    }

    /** The Lease is written when the new member has all that was decided. */
    private void finishToAdd(ModelState s, int i) {
        int joining = s.get(i, Cell.JOINING);
        if (joining == 0) {
            return;
        }
        boolean hasAll = true;
        for (int k = 0; k < DECISIONS; k++) {
            boolean matters = has(s.get(i, Cell.LOG), k) && s.fate(k) != OVER;
            hasAll &= !matters || (s.having(i, k) & joining) != 0;
        }
        if (hasAll && mayWrite(s, i)) {
            write(then(s), i, ADD, s.get(i, Cell.LED_TERM), i, s.get(i, Cell.KNOWN_SET) | joining);
        }
        ModelState givenUp = then(s);
        givenUp.set(i, Cell.JOINING, 0);
        answer(givenUp, i);
    }

    private boolean mayWrite(ModelState s, int i) {
        return s.get(i, Cell.WRITE) == NOTHING && s.common(Common.WRITES) < bounds.writes();
    }

    private void keep(ModelState s, int i) {
        int term = s.get(i, Cell.LED_TERM);
        int set = s.get(i, Cell.KNOWN_SET);
        write(then(s), i, RENEW, term, i, set);
        for (int j = 0; j < bounds.replicas(); j++) {
            if (j == i || !has(set, j)) {
                continue;
            }
            ModelState dropping = then(s);
            write(dropping, i, DROP, term, i, set & ~bit(j));
            if (mistake == Mistake.DROPS_BEFORE_WRITING) {
                dropping.set(i, Cell.KNOWN_SET, set & ~bit(j));
                dropping.set(i, Cell.UNCERTAIN, 0);
                answer(dropping, i);
            }
            if (term < bounds.terms() && has(s.get(i, Cell.CAUGHT_UP), j) && !waitsForAcknowledgements(s, i)) {
                ModelState leaving = then(s);
                leaving.set(i, Cell.VALID, false);
                write(leaving, i, HAND_OVER, term + 1, j, set & ~bit(i));
                leaving.set(i, Cell.WRITE_VALID, false);
            }
        }
    }

    private static boolean waitsForAcknowledgements(ModelState s, int i) {
        for (int k = 0; k < DECISIONS; k++) {
            if (s.fate(k) == PENDING && isOwn(s, i, k)) {
                return true;
            }
        }
        return false;
    }

    /** Everything that others admitted is seen or can appear no more. */
    private void stopWaiting(ModelState s, int i) {
        ModelState n = then(s);
        for (int k = 0; k < DECISIONS; k++) {
            if (n.fate(k) == PENDING) {
                n.fate(k, OVER);
            } else if (n.fate(k) == ANSWERED) {
                n.add(i, Cell.LOG, bit(k));
            }
        }
        n.set(i, Cell.WAITING, false);
    }

    private static void stepDown(ModelState s, int i) {
        s.set(i, Cell.LEADING, false);
        s.set(i, Cell.WAITING, false);
        s.set(i, Cell.VALID, false);
        s.set(i, Cell.JOINING, 0);
        s.set(i, Cell.CAUGHT_UP, 0);
        for (int k = 0; k < DECISIONS; k++) {
            s.having(i, k, 0);
        }
    }

    // Whoever wants to be the holder

    private void claim(ModelState s, int i) {
        if (s.get(i, Cell.WRITE) != NOTHING) {
            return;
        }
        int term = s.get(i, Cell.KNOWN_TERM);
        boolean isHolder = s.get(i, Cell.KNOWN_HOLDER) == i;
        if (isHolder && term > s.get(i, Cell.LED_TERM)) {
            // Somebody has handed the lease over, or the answer to an own write was lost.
            if (mistake == Mistake.BELIEVES_A_READ_RECORD) {
                ModelState n = then(s);
                n.set(i, Cell.VALID, true);
                begin(n, i, term);
            } else if (mayWrite(s, i)) {
                write(then(s), i, CONFIRM, term, i, s.get(i, Cell.KNOWN_SET));
            }
        }
        if (term >= bounds.terms() || !mayWrite(s, i)) {
            return;
        }
        int set = s.get(i, Cell.KNOWN_SET);
        if (has(set, i)) {
            if (!isHolder) {
                write(then(s), i, TAKE_OVER, term + 1, i, set & ~bit(s.get(i, Cell.KNOWN_HOLDER)));
            }
        } else if (isTimeOver(s) && s.get(i, Cell.KNOWN_VERSION) == s.common(Common.VERSION)) {
            ModelState n = then(s);
            write(n, i, SEIZE, term + 1, i, bit(i));
            n.set(i, Cell.OUTSIDER_TERM, term + 1);
        }
    }

    private boolean isTimeOver(ModelState s) {
        int holder = s.common(Common.HOLDER);
        return mistake == Mistake.OUTSIDER_IS_TOO_EARLY
                || !s.is(holder, Cell.ALIVE)
                || (!s.is(holder, Cell.VALID) && !s.is(holder, Cell.WRITE_VALID));
    }

    private void begin(ModelState s, int i, int term) {
        for (int k = 0; k < DECISIONS; k++) {
            s.having(i, k, 0);
        }
        s.set(i, Cell.LEADING, true);
        s.set(i, Cell.LED_TERM, term);
        s.set(i, Cell.PROMISED, Math.max(s.get(i, Cell.PROMISED), term));
        s.set(i, Cell.CAUGHT_UP, mistake == Mistake.SENDS_NO_SNAPSHOT ? bit(bounds.replicas()) - 1 : bit(i));
        s.set(i, Cell.JOINING, 0);
        s.set(i, Cell.WAITING, s.get(i, Cell.OUTSIDER_TERM) == term);
        for (int j = 0; j < bounds.replicas(); j++) {
            if (j != i && has(s.get(i, Cell.KNOWN_SET), j)) {
                s.addSnapshot(term, j, s.get(i, Cell.LOG));
            }
        }
    }

    // Messages of holders

    private void receive(ModelState s, int i) {
        for (int term = 1; term <= bounds.terms(); term++) {
            boolean leadsHigher = s.is(i, Cell.LEADING) && s.get(i, Cell.LED_TERM) >= term;
            boolean accepts = !leadsHigher && term >= s.get(i, Cell.PROMISED);
            if (!accepts && mistake != Mistake.ACKNOWLEDGES_LOWER_TERMS) {
                continue;
            }
            int news = s.entries(term, i) & ~s.entryAcks(term, i);
            for (int k = 0; k < DECISIONS; k++) {
                if (has(news, k)) {
                    take(s, i, term, bit(k)).addEntryAck(term, i, k);
                }
            }
            int snapshots = s.snapshots(term, i) & ~s.snapshotAcks(term, i);
            for (int log = 0; log < bit(DECISIONS); log++) {
                if (has(snapshots, log)) {
                    take(s, i, term, log).addSnapshotAck(term, i, log);
                }
            }
        }
    }

    private ModelState take(ModelState s, int i, int term, int log) {
        ModelState n = then(s);
        if (n.is(i, Cell.LEADING) && mistake != Mistake.ACKNOWLEDGES_LOWER_TERMS) {
            stepDown(n, i);
        }
        n.add(i, Cell.LOG, log);
        n.set(i, Cell.PROMISED, Math.max(n.get(i, Cell.PROMISED), term));
        return n;
    }

    // The API server

    private static void write(ModelState s, int i, int why, int term, int holder, int set) {
        s.set(i, Cell.WRITE, why);
        s.set(i, Cell.WRITE_STATE, SENT);
        s.set(i, Cell.WRITE_TERM, term);
        s.set(i, Cell.WRITE_HOLDER, holder);
        s.set(i, Cell.WRITE_SET, set);
        s.set(i, Cell.WRITE_BASIS, s.get(i, Cell.KNOWN_VERSION));
        s.set(i, Cell.WRITE_VALID, true);
        s.setCommon(Common.WRITES, s.common(Common.WRITES) + 1);
        s.add(i, Cell.UNCERTAIN, set);
    }

    private static void clearWrite(ModelState s, int i) {
        for (Cell cell : List.of(
                Cell.WRITE,
                Cell.WRITE_STATE,
                Cell.WRITE_TERM,
                Cell.WRITE_HOLDER,
                Cell.WRITE_SET,
                Cell.WRITE_BASIS,
                Cell.WRITE_VALID)) {
            s.set(i, cell, 0);
        }
    }

    /** The API server carries out a request, or one whose sender has given up. */
    private void carryOut(ModelState s, int i) {
        int version = s.common(Common.VERSION);
        if (s.get(i, Cell.WRITE_STATE) == SENT) {
            ModelState n = then(s);
            if (s.get(i, Cell.WRITE_BASIS) == version) {
                store(n, s.get(i, Cell.WRITE_TERM), s.get(i, Cell.WRITE_HOLDER), s.get(i, Cell.WRITE_SET));
                n.set(i, Cell.WRITE_STATE, DONE);
            } else {
                n.set(i, Cell.WRITE_STATE, REFUSED);
            }
        }
        if (s.is(i, Cell.STRAY_BASIS)) {
            ModelState n = then(s);
            if (s.get(i, Cell.STRAY_BASIS) == version) {
                store(n, s.get(i, Cell.STRAY_TERM), s.get(i, Cell.STRAY_HOLDER), s.get(i, Cell.STRAY_SET));
            }
            n.set(i, Cell.STRAY_BASIS, 0);
            n.set(i, Cell.STRAY_TERM, 0);
            n.set(i, Cell.STRAY_HOLDER, 0);
            n.set(i, Cell.STRAY_SET, 0);
        }
    }

    private static void store(ModelState s, int term, int holder, int set) {
        s.setCommon(Common.TERM, term);
        s.setCommon(Common.HOLDER, holder);
        s.setCommon(Common.SET, set);
        s.setCommon(Common.VERSION, s.common(Common.VERSION) + 1);
    }

    private void hearFromTheApiServer(ModelState s, int i) {
        switch (s.get(i, Cell.WRITE_STATE)) {
            case DONE -> succeeded(then(s), i);
            case REFUSED -> {
                ModelState n = then(s);
                clearWrite(n, i);
                read(n, i);
            }
            case SENT -> {
                if (!s.is(i, Cell.STRAY_BASIS)) {
                    // It gives up waiting and reads; the request may still be carried out.
                    ModelState n = then(s);
                    stray(n, i);
                    clearWrite(n, i);
                    read(n, i);
                }
            }
            default -> {
                if (s.get(i, Cell.KNOWN_VERSION) != s.common(Common.VERSION)) {
                    ModelState n = then(s);
                    read(n, i);
                    answer(n, i);
                }
            }
        }
    }

    private static void stray(ModelState s, int i) {
        s.set(i, Cell.STRAY_TERM, s.get(i, Cell.WRITE_TERM));
        s.set(i, Cell.STRAY_HOLDER, s.get(i, Cell.WRITE_HOLDER));
        s.set(i, Cell.STRAY_SET, s.get(i, Cell.WRITE_SET));
        s.set(i, Cell.STRAY_BASIS, s.get(i, Cell.WRITE_BASIS));
    }

    private static void read(ModelState s, int i) {
        if (s.common(Common.VERSION) != s.get(i, Cell.KNOWN_VERSION)) {
            s.set(i, Cell.UNCERTAIN, 0);
        }
        know(s, i, s.common(Common.TERM), s.common(Common.HOLDER), s.common(Common.SET), s.common(Common.VERSION));
        if (s.is(i, Cell.LEADING)
                && (s.common(Common.HOLDER) != i || s.common(Common.TERM) != s.get(i, Cell.LED_TERM))) {
            stepDown(s, i);
        }
        if (!s.is(i, Cell.LEADING)) {
            s.set(i, Cell.PROMISED, Math.max(s.get(i, Cell.PROMISED), s.common(Common.TERM)));
        }
    }

    private static void know(ModelState s, int i, int term, int holder, int set, int version) {
        s.set(i, Cell.KNOWN_TERM, term);
        s.set(i, Cell.KNOWN_HOLDER, holder);
        s.set(i, Cell.KNOWN_SET, set);
        s.set(i, Cell.KNOWN_VERSION, version);
    }

    /** The record in force may be a newer one by now; this one was stored. */
    private void succeeded(ModelState s, int i) {
        int why = s.get(i, Cell.WRITE);
        int term = s.get(i, Cell.WRITE_TERM);
        int holder = s.get(i, Cell.WRITE_HOLDER);
        boolean valid = s.is(i, Cell.WRITE_VALID);
        s.set(i, Cell.UNCERTAIN, 0);
        know(s, i, term, holder, s.get(i, Cell.WRITE_SET), s.get(i, Cell.WRITE_BASIS) + 1);
        clearWrite(s, i);
        if (s.is(i, Cell.LEADING) && holder != i) {
            stepDown(s, i);
        }
        s.set(i, Cell.PROMISED, Math.max(s.get(i, Cell.PROMISED), term));
        boolean takes = why == TAKE_OVER || why == SEIZE || why == CONFIRM;
        if (takes && s.get(i, Cell.LED_TERM) < term) {
            s.set(i, Cell.VALID, valid);
            begin(s, i, term);
        } else if (s.is(i, Cell.LEADING) && !takes) {
            s.set(i, Cell.VALID, valid || s.is(i, Cell.VALID));
            if (why == ADD) {
                s.set(i, Cell.JOINING, 0);
            }
            answer(s, i);
        }
    }

    // Time and death

    private void suffer(ModelState s, int i) {
        if (s.is(i, Cell.VALID) || s.is(i, Cell.WRITE_VALID)) {
            ModelState n = then(s);
            n.set(i, Cell.VALID, false);
            n.set(i, Cell.WRITE_VALID, false);
        }
        if (s.common(Common.CRASHES) < bounds.crashes()) {
            ModelState n = then(s);
            stepDown(n, i);
            n.set(i, Cell.ALIVE, false);
            n.setCommon(Common.CRASHES, n.common(Common.CRASHES) + 1);
            if (n.get(i, Cell.WRITE_STATE) == SENT && !n.is(i, Cell.STRAY_BASIS)) {
                stray(n, i);
            }
            clearWrite(n, i);
        }
        for (int k = 0; k < DECISIONS; k++) {
            if (s.fate(k) == OVER && has(s.get(i, Cell.LOG), k)) {
                ModelState n = then(s);
                n.set(i, Cell.LOG, n.get(i, Cell.LOG) & ~bit(k));
                n.having(i, k, 0);
            }
        }
    }
}
