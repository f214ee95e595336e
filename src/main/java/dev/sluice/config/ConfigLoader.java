package dev.sluice.config;

import dev.sluice.config.Problem.Place;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Loads the configuration of the gateway, or says everything that is wrong with it. */
public final class ConfigLoader {

    private static final String NO_FILE = "defaults";

    private ConfigLoader() {}

    /**
     * Never throws for what a user wrote. Files that the configuration names are not opened.
     *
     * @param file null for the defaults alone
     * @param environment of the process; {@code PORT} goes before {@code webhook.port}
     */
    public static Loading load(@Nullable Path file, Map<String, String> environment) {
        Findings findings = new Findings(file == null ? NO_FILE : file.toString());
        YamlNode root = file == null ? new YamlNode.Null(Place.NO_LINE) : parse(file, findings);
        Optional<GatewayConfig> config = new ConfigReader(environment, findings).read(root);
        return config.<Loading>map(value -> new Loading.Loaded(value, findings.warnings(), findings.written()))
                .orElseGet(() -> new Loading.Refused(findings.problems(), findings.warnings()));
    }

    private static YamlNode parse(Path file, Findings findings) {
        return ConfigFile.read(file, findings)
                .map(text -> YamlTree.read(text, findings))
                .orElse(new YamlNode.Reported(Place.NO_LINE));
    }
}
