package dev.sluice.cli;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.ConfigProblem;
import dev.sluice.config.GatewayConfig;
import dev.sluice.reload.ReloadedPolicySource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the policy from the files of the gateway's configuration and from the injection file. */
public final class ServePolicyFiles implements ReloadedPolicySource {

    private final ConfigOption option;
    private final GatewayConfig started;
    private Optional<Path> injection;
    private GatewayConfig inUse;
    private Set<Path> emptyInUse;

    /**
     * Creates a reader.
     *
     * @param started the configuration at the start; its settings stay in use until the process ends, except for the
     *     policy
     */
    public ServePolicyFiles(ConfigOption option, GatewayConfig started) {
        this.option = option;
        this.started = started;
        this.inUse = started;
        this.injection = Optional.ofNullable(started.injection().file());
        this.emptyInUse = emptyFiles();
    }

    @Override
    public List<Path> files() {
        return Stream.concat(configuration(), injection.stream()).toList();
    }

    private Stream<Path> configuration() {
        return option.file().stream().flatMap(config -> ConfigLoader.files(config).stream());
    }

    @Override
    public PolicyReading read() {
        return switch (option.load()) {
            case Loading.NotLoaded refused -> {
                // An invalid injection file is still polled, so that its repair is noticed. If the configuration cannot
                // be read, the file that the previous configuration named is polled.
                injection = refused.injection().or(() -> injection);
                yield new PolicyReading.UnusablePolicy(
                        refused.problems().stream().map(ConfigProblem::toString).toList());
            }
            // Availability mode reserves devices. It cannot be turned on or off at runtime, because reservations must
            // be complete from the start.
            case Loading.Loaded loaded
            when loaded.config().policy().reserve() != started.policy().reserve() ->
                new PolicyReading.UnusablePolicy(List.of(
                        "policy.mode: availability begins, and ends, with a restart only; nothing is taken over"));
            case Loading.Loaded loaded
            when !loaded.config().equals(inUse) && isUnfinished(loaded) ->
                new PolicyReading.UnusablePolicy(
                        List.of(unfinished() + ": the file is empty, write policy: {} to go back to the defaults"));
            case Loading.Loaded loaded -> {
                inUse = loaded.config();
                emptyInUse = emptyFiles();
                inUse.log().level().use();
                injection = Optional.ofNullable(loaded.config().injection().file());
                yield new PolicyReading.UsablePolicy(
                        loaded.config().policy(), loaded.injector(), started.keysThatDiffer(loaded.config()));
            }
        };
    }

    /**
     * Returns true if an editor is probably writing a file now. This is assumed if the configuration has no keys at
     * all, or if a configuration file has become empty.
     */
    private boolean isUnfinished(Loading.Loaded loaded) {
        return loaded.keyPositions().isEmpty() || !emptyInUse.containsAll(emptyFiles());
    }

    private Path unfinished() {
        return emptyFiles().stream()
                .filter(file -> !emptyInUse.contains(file))
                .findFirst()
                .or(option::file)
                .orElse(Path.of("the configuration"));
    }

    private Set<Path> emptyFiles() {
        return configuration()
                .filter(file -> file.toFile().length() == 0)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
