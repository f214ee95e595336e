package dev.sluice.cli.console;

import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.ConfigProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --config}, which names the gateway's configuration: a file, or a directory of files. */
public final class ConfigOption {

    @Option(
            names = "--config",
            paramLabel = "FILE|DIR",
            description =
                    "The gateway's configuration: a file, or a directory whose .yaml files are merged. Without it:"
                            + " conf/gateway.yaml of this installation, or the defaults where there is none.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable Path file = null;

    /** Creates the option without a value. Picocli may set the value later. */
    public ConfigOption() {}

    public ConfigOption(Path file) {
        this.file = file;
    }

    /** Returns true if the user has used the option. */
    public boolean isGiven() {
        return file != null;
    }

    /**
     * Returns the file or directory that the option names. Without the option, returns the file of the installation if
     * it exists.
     */
    public Optional<Path> file() {
        return file != null ? Optional.of(file) : home("conf", "gateway.yaml").filter(Files::exists);
    }

    /** Returns a path in the installation directory. The launcher sets a property with this directory. */
    private static Optional<Path> home(String... names) {
        return Optional.ofNullable(System.getProperty("sluice.home")).map(home -> Path.of(home, names));
    }

    public Loading load() {
        return ConfigLoader.load(file().orElse(null), System.getenv());
    }

    public Loading.Loaded require() throws UserProblem {
        return loaded(load());
    }

    /**
     * Loads a configuration that was copied from the machine of a gateway. If its injection file is not at the
     * configured path, the file of the same name in the directory of the configuration is used.
     */
    public Loading.Loaded requireCopy() throws UserProblem {
        return loaded(ConfigLoader.loadCopy(file().orElse(null), System.getenv()));
    }

    private static Loading.Loaded loaded(Loading loading) throws UserProblem {
        return switch (loading) {
            case Loading.Loaded loaded -> loaded;
            case Loading.NotLoaded refused ->
                throw new UserProblem(
                        refused.problems().stream().map(ConfigProblem::toString).toList(), null);
        };
    }
}
