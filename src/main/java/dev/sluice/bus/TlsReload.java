package dev.sluice.bus;

import java.util.List;

/**
 * What became of a change of the TLS files.
 *
 * @param problems why they cannot be used; empty if they can
 */
public record TlsReload(ReloadResult result, List<String> problems) {

    /** The results, which are also the values of a label of the metrics. */
    public enum ReloadResult {
        /** What the files hold is served from now on. */
        SERVED("served"),
        /** The files hold what is served already. */
        UNCHANGED("unchanged"),
        /** What was served before is served on. */
        REFUSED("refused");

        private final String word;

        ReloadResult(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public TlsReload {
        problems = List.copyOf(problems);
    }
}
