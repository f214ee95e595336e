package dev.sluice.bus;

import java.util.List;

/**
 * The result of reading the TLS files after a change.
 *
 * @param problems the reasons why the files cannot be used; empty if they can be used
 */
public record TlsReloadMessage(ReloadResult result, List<String> problems) {

    /** The results, which are also the values of a label of the metrics. */
    public enum ReloadResult {
        /** The files contain a new certificate, which is served from now on. */
        SERVED("served"),
        /** The files contain the certificate that is already served. */
        UNCHANGED("unchanged"),
        /** The files cannot be used, and the last valid certificate stays in use. */
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
