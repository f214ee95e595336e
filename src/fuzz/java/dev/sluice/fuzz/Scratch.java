package dev.sluice.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory for readers that want a file by its name. */
public final class Scratch {

    private static final Path DIRECTORY = directory();

    private Scratch() {}

    private static Path directory() {
        try {
            Path made = Files.createTempDirectory("sluice-fuzz");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> forget(made)));
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same path for the same name, now with this content. */
    public static Path file(String name, byte[] content) throws IOException {
        return Files.write(DIRECTORY.resolve(name), content);
    }

    private static void forget(Path directory) {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
