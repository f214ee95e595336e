package dev.sluice.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Checks file names in the configuration: a name must not be blank. Whether the file exists is checked when the file is
 * opened.
 */
final class FileRule {

    private FileRule() {}

    static void require(String name, @Nullable Path file) {
        if (file != null && file.toString().isBlank()) {
            throw new IllegalArgumentException(name + " is blank");
        }
    }
}
