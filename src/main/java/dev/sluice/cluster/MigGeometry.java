package dev.sluice.cluster;

import dev.sluice.cluster.MigProfile.MigAttribute;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many instances of each profile fit on one GPU of a model (NVIDIA's MIG User Guide, "Supported MIG Profiles"). */
public final class MigGeometry {

    private static final int SEVEN_SLICES = 7;
    private static final int FOUR_SLICES = 4;

    private MigGeometry() {}

    /** 0 for a profile that the model does not have. */
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

    /** The compute slices of one GPU of the model. */
    public static int slices(GpuModel model) {
        return switch (model) {
            case A30, RTX_PRO_6000 -> FOUR_SLICES;
            case RTX_PRO_5000, RTX_PRO_5000_72, RTX_PRO_4500 -> 2;
            default -> SEVEN_SLICES;
        };
    }

    /** A 1g with the memory of a 2g. */
    private static boolean isDouble(GpuModel model, MigProfile profile) {
        return profile.memoryGb() > smallest(model).memoryGb() * 3 / 2;
    }

    private static MigProfile smallest(GpuModel model) {
        return model.profiles().getFirst();
    }

    /**
     * What mig-parted's configuration {@code all-balanced} gives on one GPU: two of the smallest profile, one 2g, and a
     * 3g where there are seven slices.
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
