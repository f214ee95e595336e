package dev.sluice.doctor;

import java.util.ArrayList;
import java.util.List;

/** Lists the obstacles on one node that have to be removed before a pod fits the node. */
record NodeObstacles(DiagnosedNode node, List<PodObstacle> obstacles) {

    private static final int MOST_CODES = 6;
    private static final int BITS_OF_A_CODE = 5;

    /**
     * Returns the rank of a path. A path is the set of obstacles on one node that have to be removed. A smaller rank is
     * better. Paths with fewer obstacles come first. Among paths with equally many obstacles, the paths on nodes
     * without a taint, selector, affinity or cordon that excludes the pod come first. Finally the codes are compared in
     * the order of {@link DiagnosisCode}.
     *
     * @param way the obstacles that concern devices: at most one fault of the node, and devices that terminating or
     *     other pods use
     * @param reasons the bits of the mismatches on the node
     */
    static long rank(List<PodObstacle> way, int reasons) {
        int codes = reasons == 0 ? 0 : DiagnosisCode.CONSTRAINT_MISMATCH.bit();
        for (PodObstacle obstacle : way) {
            codes |= obstacle.code().bit();
        }
        long rank = (long) (way.size() + Integer.bitCount(reasons)) << 1;
        rank |= DiagnosedMismatchReason.areForeign(reasons) ? 1 : 0;
        // Each code becomes a digit. The digit 0 marks the end of the list. If one list is the beginning of another
        // list, the shorter list has the smaller rank.
        for (int digit = 0; digit < MOST_CODES; digit++) {
            rank = rank << BITS_OF_A_CODE | (codes == 0 ? 0 : Integer.numberOfTrailingZeros(codes) + 1);
            codes &= codes - 1;
        }
        return rank;
    }

    /** Returns the distinct codes of the obstacles, in the order of {@link DiagnosisCode}. */
    public List<DiagnosisCode> codes() {
        List<DiagnosisCode> codes = new ArrayList<>();
        for (PodObstacle obstacle : obstacles) {
            codes.add(obstacle.code());
        }
        return codes.stream().distinct().sorted().toList();
    }
}
