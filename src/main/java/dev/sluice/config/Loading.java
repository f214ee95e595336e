package dev.sluice.config;

import java.util.List;

/** What became of an attempt to load a configuration. */
public sealed interface Loading {

    /**
     * It can be used.
     *
     * @param warnings what is doubtful in it, in the order of the file
     * @param written where each key stands, to report what only its user can find out, such as a missing certificate
     */
    record Loaded(GatewayConfig config, List<Problem> warnings, WrittenKeys written) implements Loading {
        public Loaded {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * It cannot be used.
     *
     * @param problems all of them, in the order of the file; never empty
     * @param warnings what is doubtful in it, in the order of the file
     */
    record Refused(List<Problem> problems, List<Problem> warnings) implements Loading {
        public Refused {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}
