package dev.sluice.doctor;

import dev.sluice.text.FirstFiveNames;
import java.util.List;

/**
 * Lists the findings about nodes, in the order in which a report lists them. If a node has several faults between the
 * first code and {@link #UNHEALTHY_DEVICES}, a report contains only the first one, because it usually causes the
 * others.
 */
public enum FindingCode {
    MIG_CHANGE_FAILED("MigChangeFailed"),
    MIG_CHANGE_RUNNING("MigChangeRunning"),
    MIG_INVALID("MigInvalid"),
    MIG_WITHOUT_INSTANCES("MigWithoutInstances"),
    PLUGIN_NOT_REGISTERED("PluginNotRegistered"),
    PLUGIN_STOPPED("PluginStopped"),
    UNHEALTHY_DEVICES("UnhealthyDevices"),
    CORDONED("Cordoned"),
    NOT_READY("NotReady"),
    DEVICES_TAINTED("DevicesTainted"),
    OFFERED_TWICE("OfferedTwice"),
    STRATEGY_SINGLE("StrategySingle", "nvidia.com/gpu is a MIG slice on %s."),
    TIME_SLICING_ON("TimeSlicingOn", "Containers take turns on the GPUs of %s."),
    MPS_ON("MpsOn", "Containers share the GPUs of %s by MPS."),
    DRIVER_VERSION_MISSING("DriverVersionMissing", "Feature discovery could not read the driver's version on %s."),
    RDMA_PRESENT("RdmaPresent", "RDMA devices are offered by %s."),
    RDMA_ABSENT("RdmaAbsent", "RDMA devices, which others offer or pods ask for, are missing on %s."),
    AMD_PLUGIN("AmdPlugin", "AMD's device plugin serves %s."),
    VM_WORKLOAD_MODE("VmWorkloadMode", "The GPUs are kept for virtual machines on %s."),
    DRA_MANAGED("DraManaged", "Dynamic resource allocation hands out the GPUs of %s.");

    private final String word;
    private final String sentence;

    /**
     * Declares a fault. The sentence about several nodes contains only the word of the code and the names of the nodes.
     * The report explains the fault separately for each node.
     */
    FindingCode(String word) {
        this(word, word + ": %s");
    }

    FindingCode(String word, String sentence) {
        this.word = word;
        this.sentence = sentence;
    }

    /** Returns one sentence about all given nodes. */
    public String of(List<String> nodes) {
        return sentence.replace("%s", FirstFiveNames.nodes(nodes));
    }

    public String word() {
        return word;
    }

    /** Returns true if the finding keeps the node from running GPU pods. */
    public boolean isFault() {
        return compareTo(OFFERED_TWICE) <= 0;
    }
}
