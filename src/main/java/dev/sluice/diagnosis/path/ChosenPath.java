package dev.sluice.diagnosis.path;

import java.util.List;
import java.util.TreeSet;

/**
 * The path whose obstacles a pod waits for.
 *
 * @param codes distinct, in upstream order; empty where nothing is in the way
 * @param equal the paths that are equal to it, on nodes sorted by name; never empty
 * @param supply what the pod's own nodes have, where all of it is in use
 */
public record ChosenPath(List<VerdictCode> codes, List<RepairPath> equal, Supply supply) {

    /** The sub-reasons of all equal paths, sorted. */
    public List<String> reasons() {
        TreeSet<String> words = new TreeSet<>();
        for (RepairPath path : equal) {
            for (Obstacle obstacle : path.obstacles()) {
                if (obstacle instanceof Obstacle.Mismatch mismatch) {
                    words.add(mismatch.reason().word());
                }
            }
        }
        return List.copyOf(words);
    }
}
