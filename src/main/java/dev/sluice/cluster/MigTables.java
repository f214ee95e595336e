package dev.sluice.cluster;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The profiles of all GPU models. */
public final class MigTables {

    /** More hints would not fit into a line. */
    private static final int MOST_HINTS = 3;

    private static final Set<MigProfile> SEEN =
            Arrays.stream(GpuModel.values()).flatMap(GpuModel::seen).collect(Collectors.toUnmodifiableSet());

    private static final List<MigProfile> CANONICAL = Arrays.stream(GpuModel.values())
            .flatMap(model -> model.profiles().stream())
            .distinct()
            .toList();

    private MigTables() {}

    /** True when a GPU model has this profile. */
    public static boolean isKnown(MigProfile profile) {
        return SEEN.contains(profile);
    }

    /**
     * The profiles nearest to one that no GPU model has: first those with as many slices, by distance in memory, then
     * those with the same memory, by distance in slices; at most three.
     */
    public static List<MigProfile> nearest(MigProfile wanted) {
        Comparator<MigProfile> byDistance = Comparator.comparingInt(
                        (MigProfile real) -> Math.abs(real.slices() - wanted.slices()))
                .thenComparingInt(real -> Math.abs(real.memoryGb() - wanted.memoryGb()))
                .thenComparingInt(real -> real.attribute() == wanted.attribute() ? 0 : 1)
                .thenComparingInt(MigProfile::slices)
                .thenComparingInt(MigProfile::memoryGb);
        return CANONICAL.stream()
                .filter(real -> real.slices() == wanted.slices() || real.memoryGb() == wanted.memoryGb())
                .filter(real ->
                        real.attribute() == wanted.attribute() || real.attribute() == MigProfile.MigAttribute.NONE)
                .sorted(byDistance)
                .limit(MOST_HINTS)
                .toList();
    }
}
