package dev.sluice.doctor;

/**
 * Lists the reasons why a pod does not run. Their order is significant: a reason has to be removed before the reasons
 * after it matter.
 */
public enum DiagnosisCode {
    REQUESTS_WITHOUT_LIMITS("RequestsWithoutLimits"),
    QUOTA_EXCEEDED("QuotaExceeded"),
    DENIED_AT_ADMISSION("DeniedAtAdmission"),
    SCHEDULING_GATED("SchedulingGated"),
    OTHER_SCHEDULER("OtherScheduler"),
    UNKNOWN_PROFILE("UnknownProfile"),
    NO_GPU_NODES("NoGpuNodes"),
    NEVER_FITS_ONE_NODE("NeverFitsOneNode"),
    DRA_CLAIM_UNSATISFIED("DraClaimUnsatisfied"),
    PLUGIN_NOT_REGISTERED("PluginNotRegistered"),
    PLUGIN_STOPPED("PluginStopped"),
    MIG_CHANGE_FAILED("MigChangeFailed"),
    MIG_CHANGE_RUNNING("MigChangeRunning"),
    MIG_WITHOUT_INSTANCES("MigWithoutInstances"),
    UNHEALTHY_DEVICES("UnhealthyDevices"),
    CONSTRAINT_MISMATCH("ConstraintMismatch"),
    HELD_BY_TERMINATING("HeldByTerminating"),
    FRAGMENTED("Fragmented"),
    ALL_USED("AllUsed"),
    SHARED_REQUEST_TOO_LARGE("SharedRequestTooLarge"),
    KUBELET_REFUSED("KubeletRefused"),
    NOT_RUNNING("NotRunning"),
    HEALTHY("Healthy");

    private final String word;

    DiagnosisCode(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /**
     * Returns the bit of this code. A set of codes is an {@code int} with these bits. The first code of this enum has
     * the lowest bit.
     */
    int bit() {
        return 1 << compareTo(REQUESTS_WITHOUT_LIMITS);
    }

    /** Returns the verdict for a pod that waits until this fault of a node is repaired. */
    public static DiagnosisCode of(FindingCode fault) {
        return switch (fault) {
            case MIG_CHANGE_FAILED -> MIG_CHANGE_FAILED;
            case MIG_CHANGE_RUNNING -> MIG_CHANGE_RUNNING;
            case MIG_INVALID, MIG_WITHOUT_INSTANCES -> MIG_WITHOUT_INSTANCES;
            case PLUGIN_NOT_REGISTERED -> PLUGIN_NOT_REGISTERED;
            case PLUGIN_STOPPED -> PLUGIN_STOPPED;
            case UNHEALTHY_DEVICES -> UNHEALTHY_DEVICES;
            default -> throw new IllegalArgumentException(fault + " is no fault that a pod waits for");
        };
    }

    /** Returns true if nothing has to be repaired: the pod only has to wait, or nothing is wrong. */
    public boolean isCuredByWaiting() {
        return switch (this) {
            case HEALTHY, ALL_USED, HELD_BY_TERMINATING, MIG_CHANGE_RUNNING -> true;
            default -> false;
        };
    }
}
