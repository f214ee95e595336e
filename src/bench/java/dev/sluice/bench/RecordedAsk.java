package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What the pods of a {@link Recording} ask for.
 *
 * @param cpu whole processors
 * @param gibibytes of memory
 * @param device of which one is asked; empty for pods that ask for 20 GiB of ephemeral storage instead
 */
record RecordedAsk(int cpu, int gibibytes, String device) {

    static final List<String> DEVICES =
            List.of("", "nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb", "amd.com/gpu");

    private static final int SIZES = 3;

    /** All sizes without a device, then all sizes with the first one, and so on. */
    static final List<RecordedAsk> ALL = all();

    private static List<RecordedAsk> all() {
        List<RecordedAsk> all = new ArrayList<>();
        for (String device : DEVICES) {
            all.addAll(List.of(
                    new RecordedAsk(1, 2, device), new RecordedAsk(2, 8, device), new RecordedAsk(8, 64, device)));
        }
        return all;
    }

    /** The place in {@link #ALL} of one for this device. */
    static int number(String device, int size) {
        int at = DEVICES.indexOf(device);
        if (at < 0) {
            throw new IllegalArgumentException("no pod asks for " + device);
        }
        return SIZES * at + size % SIZES;
    }

    /** Members of a map of resources. */
    String usual() {
        return "\"cpu\":\"%d\",\"memory\":\"%dGi\"".formatted(cpu, gibibytes);
    }

    String special() {
        return device.isEmpty() ? "\"ephemeral-storage\":\"20Gi\"" : "\"%s\":\"1\"".formatted(device);
    }
}
