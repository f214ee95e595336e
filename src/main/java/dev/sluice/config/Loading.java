package dev.sluice.config;

import dev.sluice.config.tree.KeyPositions;
import dev.sluice.config.tree.Problem;
import dev.sluice.injection.Injector;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The result of loading a configuration. */
public sealed interface Loading {

    /**
     * The configuration can be used.
     *
     * @param injector holds the rules of {@code injection.file}, or none if no file is named
     * @param warnings those of the configuration in the order of the file, then those of the injection file
     * @param keyPositions serve to report what is found out later, such as a missing certificate
     */
    record Loaded(GatewayConfig config, Injector injector, List<Problem> warnings, KeyPositions keyPositions)
            implements Loading {
        public Loaded {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The configuration cannot be used.
     *
     * @param problems never empty; they are ordered like the warnings
     * @param injection the injection file if one is named, because the problem may be in it
     */
    record NotLoaded(List<Problem> problems, List<Problem> warnings, Optional<Path> injection) implements Loading {
        public NotLoaded {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}
