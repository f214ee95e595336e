package dev.sluice.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What names a file; whether it is there is the business of whoever opens it. */
final class FileRule {

    private FileRule() {}

    static void require(String name, @Nullable Path file) {
        if (file != null && file.toString().isBlank()) {
            throw new IllegalArgumentException(name + " is blank");
        }
    }
}
