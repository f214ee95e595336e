package dev.sluice.replication;

import dev.sluice.replication.ProtocolModel.Bounds;
import dev.sluice.replication.ProtocolModel.Mistake;
import java.util.ArrayDeque;
import java.util.Queue;

/** Looks at every state that the model can reach, the nearest first. */
final class ModelSearch {

    /** How a search has ended. */
    enum Ending {
        ALL_STATES_HOLD,
        /** There are more states than were to be searched, and those that were hold. */
        STOPPED,
        OVER_ADMISSION
    }

    /** @param states the number of different states that were seen */
    record Result(long states, Ending ending) {}

    private ModelSearch() {}

    static Result search(Bounds bounds, Mistake mistake, long mostStates) {
        ProtocolModel model = new ProtocolModel(bounds, mistake);
        return search(model, model.first(), mostStates);
    }

    static Result search(ProtocolModel model, ModelState first, long mostStates) {
        StateSet seen = new StateSet();
        Queue<byte[]> open = new ArrayDeque<>();
        var _ = seen.add(first.packed());
        open.add(first.packed());
        while (!open.isEmpty()) {
            for (ModelState next : model.next(first.unpacked(open.remove()))) {
                if (seen.add(next.packed())) {
                    if (ProtocolModel.isOverAdmitted(next)) {
                        return new Result(seen.size(), Ending.OVER_ADMISSION);
                    }
                    open.add(next.packed());
                }
            }
            if (seen.size() > mostStates) {
                return new Result(seen.size(), Ending.STOPPED);
            }
        }
        return new Result(seen.size(), Ending.ALL_STATES_HOLD);
    }

    /** Remembers states by hashes of 128 bits, of which two different states have the same with no likelihood. */
    private static final class StateSet {
        private long[] high = new long[1 << 16];
        private long[] low = new long[1 << 16];
        private int size;

        int size() {
            return size;
        }

        boolean add(byte[] state) {
            long a = 0x9E3779B97F4A7C15L;
            long b = 0xC2B2AE3D27D4EB4FL;
            for (byte cell : state) {
                a = (a ^ cell) * 0xFF51AFD7ED558CCDL;
                a ^= a >>> 32;
                b = (b + cell) * 0xC4CEB9FE1A85EC53L;
                b ^= b >>> 29;
            }
            return add(a == 0 ? 1 : a, b);
        }

        private boolean add(long a, long b) {
            int slot = slot(a);
            while (high[slot] != 0) {
                if (high[slot] == a && low[slot] == b) {
                    return false;
                }
                slot = slot + 1 & high.length - 1;
            }
            high[slot] = a;
            low[slot] = b;
            size++;
            if (3L * size > 2L * high.length) {
                grow();
            }
            return true;
        }

        private int slot(long a) {
            return (int) (a ^ a >>> 32) & high.length - 1;
        }

        private void grow() {
            long[] oldHigh = high;
            long[] oldLow = low;
            high = new long[2 * oldHigh.length];
            low = new long[high.length];
            for (int i = 0; i < oldHigh.length; i++) {
                if (oldHigh[i] != 0) {
                    int slot = slot(oldHigh[i]);
                    while (high[slot] != 0) {
                        slot = slot + 1 & high.length - 1;
                    }
                    high[slot] = oldHigh[i];
                    low[slot] = oldLow[i];
                }
            }
        }
    }
}
