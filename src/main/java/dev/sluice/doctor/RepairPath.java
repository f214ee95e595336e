package dev.sluice.doctor;

import java.util.ArrayList;
import java.util.List;

/** The obstacles after whose removal a pod fits a node. */
record RepairPath(NodeStudy node, List<Obstacle> obstacles) {

    private static final int MOST_CODES = 6;
    private static final int BITS_OF_A_CODE = 5;

    /**
     * Smaller for a better path: the fewest obstacles, then the pod's own nodes (no taint, selector, affinity or cordon
     * in the way), then the most upstream code, the next code, and so on. Equal for paths that are equal in all this.
     *
     * @param way what is in the way of the devices; at most one fault and two kinds of use
     * @param reasons the bits of the mismatches beside it
     */
    static long rank(List<Obstacle> way, int reasons) {
        int codes = reasons == 0 ? 0 : VerdictCode.CONSTRAINT_MISMATCH.bit();
        for (Obstacle obstacle : way) {
            codes |= obstacle.code().bit();
        }
        long rank = (long) (way.size() + Integer.bitCount(reasons)) << 1;
        rank |= MismatchReason.areForeign(reasons) ? 1 : 0;
        // A code is a digit, and 0 is the end, so that the shorter of two lists that begin alike comes first.
        for (int digit = 0; digit < MOST_CODES; digit++) {
            rank = rank << BITS_OF_A_CODE | (codes == 0 ? 0 : Integer.numberOfTrailingZeros(codes) + 1);
            codes &= codes - 1;
        }
        return rank;
    }

    /** Distinct, in upstream order. */
    public List<VerdictCode> codes() {
        List<VerdictCode> codes = new ArrayList<>();
        for (Obstacle obstacle : obstacles) {
            codes.add(obstacle.code());
        }
        return codes.stream().distinct().sorted().toList();
    }
}
