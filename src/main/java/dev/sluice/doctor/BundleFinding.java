package dev.sluice.doctor;

/** Something that is wrong on a node, and that only the node itself can tell. */
public record BundleFinding(BundleCode code, String explanation) {

    /** What can be found, by the words of the output. */
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
