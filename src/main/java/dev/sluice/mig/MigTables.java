package dev.sluice.mig;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What all GPU models together know. */
public final class MigTables {

    /** More would not fit a line and would not help. */
    private static final int MOST_HINTS = 3;

    private static final Set<MigProfile> SEEN =
            Arrays.stream(GpuModel.values()).flatMap(GpuModel::seen).collect(Collectors.toUnmodifiableSet());

    private static final List<MigProfile> CANONICAL = Arrays.stream(GpuModel.values())
            .flatMap(model -> model.profiles().stream())
            .distinct()
            .toList();

    private MigTables() {}

    /** True when some GPU model has this profile, so that a node may offer it as a resource. */
    public static boolean isKnown(MigProfile profile) {
        return SEEN.contains(profile);
    }

    /**
     * The real profiles nearest to a name that no GPU has: those with as many slices first, by distance in memory, then
     * those with the same memory, by distance in slices; at most three, possibly none.
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
                .filter(real -> real.attribute() == wanted.attribute() || real.attribute() == MigAttribute.NONE)
                .sorted(byDistance)
                .limit(MOST_HINTS)
                .toList();
    }
}
