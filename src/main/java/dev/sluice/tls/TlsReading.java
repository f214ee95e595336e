package dev.sluice.tls;

import java.util.List;

/** What came of reading the configured files. */
public sealed interface TlsReading {

    /** It can be served; the warnings are sentences for the log. */
    record Usable(ServerTls tls, List<String> warnings) implements TlsReading {
        public Usable {
            warnings = List.copyOf(warnings);
        }
    }

    /** It cannot; every problem that was found, each with key, file and fix. */
    record UnusableTls(List<String> problems) implements TlsReading {
        public UnusableTls {
            problems = List.copyOf(problems);
        }
    }
}
