package dev.sluice.bus;

import java.util.List;

/**
 * The result of an attempt to replace the server certificate. The new certificate comes from the TLS files, or from the
 * rotation of self-managed certificates.
 *
 * @param problems the reasons why the certificate cannot be replaced; empty if there are none
 */
public record TlsReloadMessage(ReloadResult result, List<String> problems) {

    /** The possible results. Their names in lower case are values of a label in the metrics. */
    public enum ReloadResult {
        /** A new certificate is served from now on. */
        SERVED("served"),
        /** There is no new certificate, and there are no problems. */
        UNCHANGED("unchanged"),
        /** The files cannot be used, or the rotation has failed. The last valid certificate stays in use. */
        REFUSED("refused");

        private final String word;

        ReloadResult(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public TlsReloadMessage {
        problems = List.copyOf(problems);
    }
}
