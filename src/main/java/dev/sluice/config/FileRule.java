package dev.sluice.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The rule for file names: a name must not be blank. Whether the file exists is only checked when it is opened. */
final class FileRule {

    private FileRule() {}

    static void require(String name, @Nullable Path file) {
        if (file != null && file.toString().isBlank()) {
            throw new IllegalArgumentException(name + " is blank");
        }
    }
}
