package dev.sluice.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The rule for names of files: they are not blank. Whether the file exists is seen when it is opened. */
final class FileRule {

    private FileRule() {}

    static void require(String name, @Nullable Path file) {
        if (file != null && file.toString().isBlank()) {
            throw new IllegalArgumentException(name + " is blank");
        }
    }
}
