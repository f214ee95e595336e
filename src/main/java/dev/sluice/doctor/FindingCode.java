package dev.sluice.doctor;

/** What can be found on a node, in the contract's order; at most one of those that {@link #excludes} is told. */
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
    STRATEGY_SINGLE("StrategySingle"),
    TIME_SLICING_ON("TimeSlicingOn"),
    MPS_ON("MpsOn"),
    DRIVER_VERSION_MISSING("DriverVersionMissing"),
    RDMA_PRESENT("RdmaPresent"),
    RDMA_ABSENT("RdmaAbsent"),
    AMD_PLUGIN("AmdPlugin"),
    VM_WORKLOAD_MODE("VmWorkloadMode"),
    DRA_MANAGED("DraManaged");

    private final String word;

    FindingCode(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** One of those of which a node has at most one, because each hides what follows from it. */
    public boolean excludes() {
        return compareTo(UNHEALTHY_DEVICES) <= 0;
    }

    /** The node cannot do what it is there for. */
    public boolean isFault() {
        return compareTo(NOT_READY) <= 0;
    }
}
