package dev.sluice.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the names of files in the configuration are not blank. Whether such a file exists is checked later, when
 * it is opened.
 */
final class ConfigFileRule {

    private ConfigFileRule() {}

    static void require(String name, @Nullable Path file) {
        if (file != null && file.toString().isBlank()) {
            throw new IllegalArgumentException(name + " is blank");
        }
    }
}
