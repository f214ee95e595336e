package dev.sluice.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What shows that a file has changed. Links are followed, so a mounted ConfigMap, which Kubernetes swaps as a link,
 * changes like any other file. Readability is part of it because a change of permissions leaves no other trace.
 */
record FileStamp(
        long size, @Nullable FileTime modified, @Nullable Object key, boolean readable) {

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
