package dev.sluice.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * By what a file is seen to have changed. Links are followed to the file behind them, so a mounted ConfigMap, which is
 * swapped as a link, changes like any other. A change of permissions leaves no other trace.
 */
public record FileStamp(
        long size, @Nullable FileTime modified, @Nullable Object key, boolean readable) {

    /** The file cannot be looked at; why, reading it will tell. */
    static final FileStamp NONE = new FileStamp(-1, null, null, /* readable= */ false);

    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    attributes.size(), attributes.lastModifiedTime(), attributes.fileKey(), Files.isReadable(file));
        } catch (IOException gone) {
            return NONE;
        }
    }
}
