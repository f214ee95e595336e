package dev.sluice.files;

import dev.sluice.cluster.ClusterStateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** Writes files that only their owner can read, because they contain the names of users' pods. */
public final class PrivateFile {

    private PrivateFile() {}

    /** Writes the content of a file. */
    public interface FileContent {
        void writeTo(Path file) throws IOException;
    }

    /** Writes the file atomically. If the content cannot be written completely, the former file is kept. */
    public static void write(Path file, FileContent content) throws ClusterStateException {
        try {
            // A temporary file has mode 0600 from the start, so that no other user can read it at any time.
            Path fresh = Files.createTempFile(
                    Objects.requireNonNull(file.toAbsolutePath().getParent()), ".sluice-", ".tmp");
            try {
                content.writeTo(fresh);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException failed) {
            throw new ClusterStateException(
                    file + " cannot be written (" + failed.getMessage()
                            + "); name a file in a directory that exists and that you may write",
                    failed);
        }
    }
}
