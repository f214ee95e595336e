package dev.sluice.tls;

import java.util.List;

/** The result of reading the TLS files. */
public sealed interface TlsReading {

    /** The files can be used. The warnings are sentences for the log. */
    record Usable(ServerTls tls, List<String> warnings) implements TlsReading {
        public Usable {
            warnings = List.copyOf(warnings);
        }
    }

    /** The files cannot be used. Each problem names the key, the file and what to do. */
    record UnusableTls(List<String> problems) implements TlsReading {
        public UnusableTls {
            problems = List.copyOf(problems);
        }
    }
}
