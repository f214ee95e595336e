package dev.sluice.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls files and reads all of them when one has changed and the change has settled. Blocks; one caller at a time. */
public final class FileWatcher<T, E extends Exception> {

    /** When a change has settled. */
    public enum SettlingRule {
        /** When two polls see the same, and at the third poll in any case. */
        BY_THE_THIRD_POLL,
        /** When two polls see the same. A reading during which a file changed is dropped. */
        AS_ONE
    }

    /** What a poll found. */
    public sealed interface Poll<T> {

        /** The last reading is what the files hold. */
        record Unchanged<T>() implements Poll<T> {}

        /** A file is being changed, or the last reading failed: what the files hold is not known. */
        record ContentsUnknown<T>() implements Poll<T> {}

        record Changed<T>(T contents) implements Poll<T> {}
    }

    public interface FilesReader<T, E extends Exception> {
        T read() throws E;
    }

    private static final int MOST_POLLS = 3;

    private final Supplier<List<Path>> files;
    private final FilesReader<T, E> reader;
    private final SettlingRule settling;
    /** Empty before the first reading, so that the first polls read what may have changed since the start. */
    private List<FileStamp> lastRead = List.of();

    private List<FileStamp> lastSeen = List.of();
    private boolean usable;
    private int polls;

    /** @param files may change with each reading */
    public FileWatcher(Supplier<List<Path>> files, FilesReader<T, E> reader, SettlingRule settling) {
        this.files = files;
        this.reader = reader;
        this.settling = settling;
    }

    public T first() throws E {
        lastRead = stamps(files.get());
        T contents = reader.read();
        usable = true;
        return contents;
    }

    public Poll<T> poll() throws E {
        List<FileStamp> now = stamps(files.get());
        boolean settled = now.equals(lastSeen);
        lastSeen = now;
        if (now.equals(lastRead)) {
            polls = 0;
            return usable ? new Poll.Unchanged<>() : new Poll.ContentsUnknown<>();
        }
        polls++;
        boolean due = settled || (settling == SettlingRule.BY_THE_THIRD_POLL && polls >= MOST_POLLS);
        return due ? read(now) : new Poll.ContentsUnknown<>();
    }

    /** The files are stamped before they are read, so that the next poll sees a change in between. */
    private Poll<T> read(List<FileStamp> before) throws E {
        polls = 0;
        usable = false;
        List<Path> read = files.get();
        if (settling == SettlingRule.BY_THE_THIRD_POLL) {
            lastRead = before;
        }
        T contents = reader.read();
        if (settling == SettlingRule.AS_ONE) {
            if (!stamps(read).equals(before)) {
                return new Poll.ContentsUnknown<>();
            }
            List<Path> next = files.get();
            lastRead = next.equals(read) ? before : stamps(next);
        }
        usable = true;
        return new Poll.Changed<>(contents);
    }

    private static List<FileStamp> stamps(List<Path> files) {
        return files.stream().map(FileStamp::of).toList();
    }

    /**
     * What shows that a file has changed. Links are followed, so a mounted ConfigMap, which Kubernetes swaps as a link,
     * changes like any other file. Readability is part of it because a change of permissions leaves no other trace.
     */
    record FileStamp(
            long size,
            @Nullable FileTime modified,
            @Nullable Object key,
            boolean readable) {

        /** The file has no attributes that can be read; the next reading says why. */
        static final FileStamp NONE = new FileStamp(-1, null, null, /* readable= */ false);

        static FileStamp of(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return new FileStamp(
                        attributes.size(), attributes.lastModifiedTime(), attributes.fileKey(), Files.isReadable(file));
            } catch (IOException gone) {
                return NONE;
            }
        }
    }
}
