package dev.sluice.config;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.config.ConfigLoader.Loading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** Policies as a configuration says them. */
public final class WrittenPolicy {

    private WrittenPolicy() {}

    /** The policy of a configuration with this text, which is written into the directory. */
    public static ActivePolicy of(String text, Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), text);
        ConfigOption option = CommandLine.populateCommand(new ConfigOption(), "--config", file.toString());
        Loading.Loaded loaded = (Loading.Loaded) option.load();
        return ActivePolicy.first(loaded.config().policy(), loaded.injector());
    }
}
