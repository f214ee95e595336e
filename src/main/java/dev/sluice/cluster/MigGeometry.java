package dev.sluice.cluster;

import dev.sluice.cluster.MigProfile.MigAttribute;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Computes how many MIG instances of each profile fit on one GPU of a model. The source is the section "Supported MIG
 * Profiles" of NVIDIA's MIG User Guide.
 */
public final class MigGeometry {

    private static final int SEVEN_SLICES = 7;
    private static final int FOUR_SLICES = 4;

    private MigGeometry() {}

    /** Returns the maximum number of instances on one GPU; 0 if the model does not have the profile. */
    public static long mostPerGpu(GpuModel model, MigProfile profile) {
        if (model.seen().noneMatch(profile::equals)) {
            return 0;
        }
        return switch (profile.attribute()) {
            case MEDIA, ALL_MEDIA -> 1;
            case NONE, GRAPHICS, WITHOUT_MEDIA -> sized(model, profile);
        };
    }

    private static long sized(GpuModel model, MigProfile profile) {
        int slices = slices(model);
        return switch (profile.slices()) {
            case 1 -> slices == SEVEN_SLICES && isDouble(model, profile) ? FOUR_SLICES : slices;
            case 2 -> slices == SEVEN_SLICES ? 3 : slices / 2;
            case 3 -> 2;
            default -> 1;
        };
    }

    /** Returns the number of compute slices of one GPU of the model. */
    public static int slices(GpuModel model) {
        return switch (model) {
            case A30, RTX_PRO_6000 -> FOUR_SLICES;
            case RTX_PRO_5000, RTX_PRO_5000_72, RTX_PRO_4500 -> 2;
            default -> SEVEN_SLICES;
        };
    }

    /** Returns true for a profile with one slice that has as much memory as a profile with two slices. */
    private static boolean isDouble(GpuModel model, MigProfile profile) {
        return profile.memoryGb() > smallest(model).memoryGb() * 3 / 2;
    }

    private static MigProfile smallest(GpuModel model) {
        return model.profiles().getFirst();
    }

    /**
     * Returns the instances that the configuration {@code all-balanced} of mig-parted creates on one GPU: two instances
     * of the smallest profile and one instance with two slices. Models with seven slices also have one instance with
     * three slices.
     */
    public static Map<MigProfile, Long> balanced(GpuModel model) {
        Map<MigProfile, Long> balanced = new LinkedHashMap<>();
        balanced.put(smallest(model), 2L);
        for (int slices = 2; slices <= (slices(model) == SEVEN_SLICES ? 3 : 2); slices++) {
            int wanted = slices;
            model.profiles().stream()
                    .filter(profile -> profile.slices() == wanted && profile.attribute() == MigAttribute.NONE)
                    .findFirst()
                    .ifPresent(profile -> balanced.put(profile, 1L));
        }
        return balanced;
    }
}
