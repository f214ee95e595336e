package dev.sluice.snapshotfile;

import dev.sluice.reload.FileStamp;
import dev.sluice.source.SourceProblem;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Looks at a snapshot file now and then, and reads it again when it has changed. Blocks; one caller at a time. */
final class SnapshotPoll {

    /** What a look found. */
    sealed interface Look {

        /** What was read last is what the file holds. */
        record Unchanged() implements Look {}

        /** The file is being changed, or was not readable when it was read last: what it holds is not known. */
        record ContentsUnknown() implements Look {}

        record Changed(SnapshotFile.Contents contents) implements Look {}
    }

    /** A file that changes at every look is read at the third all the same. */
    private static final int MOST_LOOKS = 3;

    private final Path file;
    private @Nullable FileStamp lastRead;
    private @Nullable FileStamp lastSeen;
    private boolean usable;
    private int looks;

    SnapshotPoll(Path file) {
        this.file = file;
    }

    SnapshotFile.Contents first() throws SourceProblem {
        return read(FileStamp.of(file));
    }

    /** Reads the file if it has changed and the change has settled: a file is not read while it is written. */
    Look look() throws SourceProblem {
        FileStamp now = FileStamp.of(file);
        boolean settled = now.equals(lastSeen);
        lastSeen = now;
        if (now.equals(lastRead)) {
            looks = 0;
            return usable ? new Look.Unchanged() : new Look.ContentsUnknown();
        }
        looks++;
        return settled || looks >= MOST_LOOKS ? new Look.Changed(read(now)) : new Look.ContentsUnknown();
    }

    /** Stamped before it is read, so that a change in between is seen at the next look. */
    private SnapshotFile.Contents read(FileStamp stamp) throws SourceProblem {
        looks = 0;
        lastRead = stamp;
        usable = false;
        SnapshotFile.Contents contents = SnapshotFile.read(file);
        usable = true;
        return contents;
    }
}
