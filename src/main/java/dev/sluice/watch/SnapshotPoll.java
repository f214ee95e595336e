package dev.sluice.watch;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at a snapshot file now and then, and reads it again when it has changed. Blocks; one caller at a time. */
final class SnapshotPoll {

    /** A file that changes at every look is read at the third all the same. */
    private static final int MOST_LOOKS = 3;

    private final Path file;
    private @Nullable FileStamp lastRead;
    private @Nullable FileStamp lastSeen;
    private int looks;

    SnapshotPoll(Path file) {
        this.file = file;
    }

    SnapshotFile.Contents first() throws SourceProblem {
        return read(FileStamp.of(file));
    }

    /** The contents, if the file has changed and the change has settled: a file is not read while it is written. */
    Optional<SnapshotFile.Contents> look() throws SourceProblem {
        FileStamp now = FileStamp.of(file);
        boolean settled = now.equals(lastSeen);
        lastSeen = now;
        if (now.equals(lastRead)) {
            looks = 0;
            return Optional.empty();
        }
        looks++;
        return settled || looks >= MOST_LOOKS ? Optional.of(read(now)) : Optional.empty();
    }

    /** Stamped before it is read, so that a change in between is seen at the next look. */
    private SnapshotFile.Contents read(FileStamp stamp) throws SourceProblem {
        looks = 0;
        lastRead = stamp;
        return SnapshotFile.read(file);
    }
}
