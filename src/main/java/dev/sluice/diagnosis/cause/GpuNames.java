package dev.sluice.diagnosis.cause;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.diagnosis.node.GpuVendor;
import java.util.regex.Pattern;

/** Finds names of GPU resources in messages. */
public final class GpuNames {

    private static final Pattern NAME = Pattern.compile("(?:nvidia|amd)\\.com/[A-Za-z0-9._-]*[A-Za-z0-9]");

    private GpuNames() {}

    public static boolean areIn(String text) {
        return NAME.matcher(text).results().anyMatch(found -> GpuVendor.isGpu(new ResourceName(found.group())));
    }
}
