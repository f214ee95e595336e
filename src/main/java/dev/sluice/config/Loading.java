package dev.sluice.config;

import dev.sluice.config.tree.Problem;
import dev.sluice.config.tree.WrittenKeys;
import dev.sluice.injection.Injector;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What became of an attempt to load a configuration. */
public sealed interface Loading {

    /**
     * It can be used.
     *
     * @param injector the rules of {@code injection.file}; none where no file is named
     * @param warnings what is doubtful in it, in the order of the file, and then in the injection file
     * @param written where each key stands, to report what only its user can find out, such as a missing certificate
     */
    record Loaded(GatewayConfig config, Injector injector, List<Problem> warnings, WrittenKeys written)
            implements Loading {
        public Loaded {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * It cannot be used.
     *
     * @param problems all of them, in the order of the file, then those of the injection file; never empty
     * @param warnings what is doubtful, likewise
     * @param injection the injection file that is named, which may be the one to repair
     */
    record NotLoaded(List<Problem> problems, List<Problem> warnings, Optional<Path> injection) implements Loading {
        public NotLoaded {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}
