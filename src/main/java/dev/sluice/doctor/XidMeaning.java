package dev.sluice.doctor;

import java.util.Arrays;
import java.util.Optional;

/** Explains frequent Xid error codes of NVIDIA's driver. The explanations follow NVIDIA's catalog of Xid errors. */
enum XidMeaning {
    GRAPHICS_EXCEPTION(13, "a program made the GPU fail", XidMeaning.PROGRAM),
    PAGE_FAULT(31, "a program read or wrote memory of the GPU that is not its own", XidMeaning.PROGRAM),
    STOPPED(43, "a program was ended because of its own fault", XidMeaning.PROGRAM),
    CLEANUP(45, "work was taken from the GPU, mostly after another error", "Look for the error before it."),
    DOUBLE_BIT(48, "a double bit error of the memory, which cannot be corrected", XidMeaning.RESET),
    ROWS_REMAPPED(63, "a row of the memory was replaced, or is from the next reset on", XidMeaning.RESET),
    REMAP_FAILED(64, "a row of the memory could not be replaced", XidMeaning.REPLACE),
    NVLINK(74, "an error of NVLink", "Reset the GPUs; if it comes back, check the links and the bridge."),
    OFF_THE_BUS(
            79,
            "the GPU has fallen off the bus",
            "Drain the node and restart it; if it comes back, the GPU," + " its power or its slot is broken."),
    CONTAINED(94, "an uncorrectable memory error that ended one program only", XidMeaning.RESET),
    UNCONTAINED(95, "an uncorrectable memory error that may have touched every program on the GPU", XidMeaning.RESET),
    GSP_TIMEOUT(119, "the GPU's system processor does not answer", XidMeaning.RESTART),
    GSP_ERROR(120, "an error of the GPU's system processor", XidMeaning.RESTART);

    private static final String PROGRAM = "Look at the pod that ran then, before the hardware.";
    private static final String RESET = "Drain the node and reset the GPU.";
    private static final String RESTART = "Drain the node and restart it; if it comes back, update the driver.";
    private static final String REPLACE = "Drain the node and have the GPU replaced.";

    private final int code;
    private final String means;
    private final String cure;

    XidMeaning(int code, String means, String cure) {
        this.code = code;
        this.means = means;
        this.cure = cure;
    }

    static Optional<XidMeaning> of(int code) {
        return Arrays.stream(values()).filter(xid -> xid.code == code).findFirst();
    }

    String means() {
        return means;
    }

    String cure() {
        return cure;
    }
}
