package dev.sluice.replication;

/** One state of the model: small numbers in one array, so that a state is copied and compared quickly. */
@SuppressWarnings("EnumOrdinal") // The enums are names of places in the array, and nothing is stored by their order.
final class ModelState {

    /** The Lease, and how much has happened. */
    enum Common {
        TERM,
        HOLDER,
        /** The in-sync set. Each set of replicas or decisions is a mask. */
        SET,
        VERSION,
        WRITES,
        CRASHES
    }

    /** What one replica knows and does. */
    enum Cell {
        ALIVE,
        LEADING,
        /** True while the time of its last renewal runs. */
        VALID,
        /** An outsider that waits until everything is seen that others may have admitted. */
        WAITING,
        LED_TERM,
        KNOWN_TERM,
        KNOWN_HOLDER,
        KNOWN_SET,
        KNOWN_VERSION,
        /** The highest term that it has acknowledged or seen. */
        PROMISED,
        /** The decisions that its ledger holds. */
        LOG,
        /** The members of its own writes that may still be carried out at the known version. */
        UNCERTAIN,
        /** The replicas that it waits for before they are in the Lease. */
        JOINING,
        /** The replicas that have all that it had when its term began, or when they joined. */
        CAUGHT_UP,
        /** The term that it took, or tried to take, as an outsider. */
        OUTSIDER_TERM,
        /** Its write under way: why, and how far it is. */
        WRITE,
        WRITE_STATE,
        WRITE_TERM,
        WRITE_HOLDER,
        WRITE_SET,
        WRITE_BASIS,
        /** True while the time runs that began when the write was sent. */
        WRITE_VALID,
        /** A write whose sender has given up; the basis is 0 if there is none. */
        STRAY_TERM,
        STRAY_HOLDER,
        STRAY_SET,
        STRAY_BASIS
    }

    private static final int COMMON = Common.values().length;
    private static final int CELLS = Cell.values().length;
    /** For each term and receiver: the entries sent and acknowledged, and the snapshots sent and acknowledged. */
    private static final int MAIL = 4;

    private static final int ENTRIES = 0;
    private static final int ENTRY_ACKS = 1;
    private static final int SNAPSHOTS = 2;
    private static final int SNAPSHOT_ACKS = 3;

    private final int replicas;
    private final int decisions;
    private final byte[] cells;

    ModelState(int replicas, int decisions, int terms) {
        this(replicas, decisions, new byte[size(replicas, decisions) + MAIL * replicas * (terms + 1)]);
    }

    private ModelState(int replicas, int decisions, byte[] cells) {
        this.replicas = replicas;
        this.decisions = decisions;
        this.cells = cells;
    }

    /** The cells before the messages. */
    private static int size(int replicas, int decisions) {
        return COMMON + decisions + replicas * (CELLS + decisions);
    }

    ModelState copy() {
        return new ModelState(replicas, decisions, cells.clone());
    }

    /** Returns the same state from what {@link #packed} returned. */
    ModelState unpacked(byte[] packed) {
        return new ModelState(replicas, decisions, packed);
    }

    byte[] packed() {
        return cells;
    }

    int common(Common cell) {
        return cells[cell.ordinal()];
    }

    void setCommon(Common cell, int value) {
        cells[cell.ordinal()] = (byte) value;
    }

    /** Returns what became of a decision. */
    int fate(int decision) {
        return cells[COMMON + decision];
    }

    void fate(int decision, int value) {
        cells[COMMON + decision] = (byte) value;
    }

    int get(int replica, Cell cell) {
        return cells[at(replica) + cell.ordinal()];
    }

    boolean is(int replica, Cell cell) {
        return get(replica, cell) != 0;
    }

    void set(int replica, Cell cell, int value) {
        cells[at(replica) + cell.ordinal()] = (byte) value;
    }

    void set(int replica, Cell cell, boolean value) {
        set(replica, cell, value ? 1 : 0);
    }

    void add(int replica, Cell cell, int mask) {
        set(replica, cell, get(replica, cell) | mask);
    }

    /** Returns the replicas that have acknowledged this decision to that holder in its term. */
    int having(int holder, int decision) {
        return cells[at(holder) + CELLS + decision];
    }

    void having(int holder, int decision, int mask) {
        cells[at(holder) + CELLS + decision] = (byte) mask;
    }

    private int at(int replica) {
        return COMMON + decisions + replica * (CELLS + decisions);
    }

    /** Returns the decisions that were sent to a replica one by one in this term. A message may arrive at any time. */
    int entries(int term, int to) {
        return cells[mail(term, to) + ENTRIES];
    }

    void addEntry(int term, int to, int decision) {
        cells[mail(term, to) + ENTRIES] |= (byte) (1 << decision);
    }

    int entryAcks(int term, int from) {
        return cells[mail(term, from) + ENTRY_ACKS];
    }

    void addEntryAck(int term, int from, int decision) {
        cells[mail(term, from) + ENTRY_ACKS] |= (byte) (1 << decision);
    }

    /** Returns the snapshots that were sent to a replica in this term; bit n stands for the log n. */
    int snapshots(int term, int to) {
        return cells[mail(term, to) + SNAPSHOTS];
    }

    void addSnapshot(int term, int to, int log) {
        cells[mail(term, to) + SNAPSHOTS] |= (byte) (1 << log);
    }

    int snapshotAcks(int term, int from) {
        return cells[mail(term, from) + SNAPSHOT_ACKS];
    }

    void addSnapshotAck(int term, int from, int log) {
        cells[mail(term, from) + SNAPSHOT_ACKS] |= (byte) (1 << log);
    }

    private int mail(int term, int replica) {
        return size(replicas, decisions) + MAIL * (term * replicas + replica);
    }
}
