package dev.sluice.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls a set of files. If a file has changed and the change is complete, a poll reads all files again. The methods
 * block, and only one thread may call them at a time.
 */
public final class FileWatcher<T, E extends Exception> {

    /** Decides when the change of a file is complete, so that the files can be read. */
    public enum SettlingRule {
        /**
         * The change is complete when two polls in a row find the same state of the files. At the third poll after the
         * change, the files are read even if they still change.
         */
        BY_THE_THIRD_POLL,
        /**
         * The change is complete when two polls in a row find the same state of the files. If a file changes while the
         * files are being read, the result is discarded, and the next poll tries again.
         */
        AS_ONE
    }

    /** The result of a poll. */
    public sealed interface Poll<T> {

        /** The files have not changed since they were read. */
        record Unchanged<T>() implements Poll<T> {}

        /** The content is not known, because a file is changing or could not be read. */
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
    /**
     * The state of the files when this object read them last; empty before the first reading. At first, the files
     * always count as changed, because they may have changed since another object read them at the start of the
     * process.
     */
    private List<FileStamp> lastRead = List.of();

    private List<FileStamp> lastSeen = List.of();
    private boolean usable;
    private int polls;

    /**
     * @param files a supplier of the files to poll; it is called at each poll, because a file may name further files,
     *     and files may be added to a directory
     */
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

    /**
     * Returns the time until the next poll. This is {@code interval} while the files change or cannot be read, and
     * otherwise twice as long. The longer time saves wake-ups.
     */
    public Duration pause(Duration interval) {
        return usable && polls == 0 ? interval.plus(interval) : interval;
    }

    /**
     * Reads the files.
     *
     * @param before the state of the files before they are read, so that the next poll detects a change during the
     *     reading
     */
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
            // The files that were read may name further files. The next poll then finds other stamps, and reads all
            // files once more.
            lastRead = before;
        }
        usable = true;
        return new Poll.Changed<>(contents);
    }

    private static List<FileStamp> stamps(List<Path> files) {
        return files.stream().map(FileStamp::of).toList();
    }

    /**
     * The attributes that show that a file has changed. For a link, they are the attributes of its target, because
     * Kubernetes updates a mounted ConfigMap by replacing a link. Whether the file is readable is an attribute of its
     * own, because a change of permissions changes none of the others.
     */
    record FileStamp(
            long size,
            @Nullable FileTime modified,
            @Nullable Object key,
            boolean readable) {

        /**
         * The attributes of a file that does not exist or whose attributes cannot be read. The reason is reported when
         * the file is read.
         */
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
