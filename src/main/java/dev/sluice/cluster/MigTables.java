package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks up the profiles of all GPU models. */
public final class MigTables {

    /** The maximum number of suggestions. More suggestions would not fit on a line. */
    private static final int MOST_HINTS = 3;

    private static final Set<MigProfile> SEEN =
            Arrays.stream(GpuModel.values()).flatMap(GpuModel::seen).collect(Collectors.toUnmodifiableSet());

    private static final List<MigProfile> CANONICAL = Arrays.stream(GpuModel.values())
            .flatMap(model -> model.profiles().stream())
            .distinct()
            .toList();

    private MigTables() {}

    /** Returns the resources of all profiles, each also with the suffix of shared resources. */
    static Stream<ResourceName> resources() {
        return SEEN.stream()
                .map(MigProfile::resource)
                .flatMap(slice -> Stream.of(slice, new ResourceName(slice.value() + MigProfile.SHARED_SUFFIX)));
    }

    /** Returns true if any GPU model has this profile. */
    public static boolean isKnown(MigProfile profile) {
        return SEEN.contains(profile);
    }

    /**
     * Returns the memory in GB of the largest GPU model that has this profile. The memory of a GPU model is the memory
     * of its largest profile. Returns empty if no GPU model has the profile.
     */
    public static OptionalInt memoryOfGpu(MigProfile profile) {
        return Arrays.stream(GpuModel.values())
                .filter(model -> model.seen().anyMatch(profile::equals))
                .mapToInt(model -> model.profiles().stream()
                        .mapToInt(MigProfile::memoryGb)
                        .max()
                        .orElse(0))
                .max();
    }

    /**
     * Returns at most three profiles of GPU models that are similar to {@code wanted}. No GPU model has {@code wanted}
     * itself. Profiles with the same number of slices come first, ordered by the difference in memory. Profiles with
     * the same memory come next, ordered by the difference in slices.
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
