package dev.sluice.doctor;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.regex.Pattern;

/** Finds names of GPU resources in messages. */
final class GpuNames {

    private static final Pattern NAME = Pattern.compile("(?:nvidia|amd)\\.com/[A-Za-z0-9._-]*[A-Za-z0-9]");

    private GpuNames() {}

    public static boolean areIn(String text) {
        return NAME.matcher(text).results().anyMatch(found -> GpuVendor.isGpu(new ResourceName(found.group())));
    }
}
