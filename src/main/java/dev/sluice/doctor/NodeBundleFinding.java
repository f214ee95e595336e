package dev.sluice.doctor;

/**
 * Describes a problem of a node that the API server does not show. The script of {@code sluice doctor node}, which runs
 * on the node, finds it.
 */
public record NodeBundleFinding(BundleCode code, String explanation) {

    /** Lists the problems that the script of {@code sluice doctor node} can find. */
    public enum BundleCode {
        DRIVER_NOT_LOADED("DriverNotLoaded"),
        DRIVER_MISMATCH("DriverMismatch"),
        SMI_FAILED("SmiFailed"),
        XID_ERRORS("XidErrors"),
        MIG_MODE_PENDING("MigModePending"),
        MIG_MODE_CONTRADICTS_NODE("MigModeContradictsNode"),
        MIG_INSTANCES_DIFFER("MigInstancesDiffer"),
        REGISTERED_DIFFERS("RegisteredDiffers"),
        PLUGIN_SOCKET_MISSING("PluginSocketMissing"),
        RUNTIME_NOT_CONFIGURED("RuntimeNotConfigured");

        private final String word;

        BundleCode(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
