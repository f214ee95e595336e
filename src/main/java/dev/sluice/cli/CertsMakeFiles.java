package dev.sluice.cli;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The four files in a directory of certificates. New files are first written under other names in the same directory,
 * and then renamed. Therefore no file is ever incomplete, and either all files are replaced or none is.
 */
record CertsMakeFiles(Path authority, Path authorityKey, Path certificate, Path key) {

    private static final String FOR_ALL = "rw-r--r--";
    private static final String FOR_OWNER = "rw-------";

    private record Content(Path target, String text, String mode) {}

    static CertsMakeFiles in(Path directory, CertificateUse use) {
        return new CertsMakeFiles(
                directory.resolve(use.prefix() + "ca.crt"),
                directory.resolve(use.prefix() + "ca.key"),
                directory.resolve(use.prefix() + "tls.crt"),
                directory.resolve(use.prefix() + "tls.key"));
    }

    static List<Path> existing(Path... files) {
        return Stream.of(files)
                .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    void writeAll(CertificateAuthority made, CertifiedKey issued) throws IOException {
        List<Content> contents = new ArrayList<>(contents(authority, authorityKey, made.identity()));
        contents.addAll(contents(certificate, key, issued));
        write(contents);
    }

    void writePair(CertifiedKey issued) throws IOException {
        write(contents(certificate, key, issued));
    }

    private static List<Content> contents(Path certificate, Path key, CertifiedKey pair) {
        return List.of(
                new Content(key, pair.keyPem(), FOR_OWNER), new Content(certificate, pair.certificatePem(), FOR_ALL));
    }

    /**
     * Writes all new files to the disk before it moves the first one to its target. If the disk is full, the old files
     * therefore stay unchanged.
     */
    private static void write(List<Content> contents) throws IOException {
        Map<Path, Path> written = new LinkedHashMap<>();
        try {
            for (Content content : contents) {
                written.put(temporary(content), content.target());
            }
            moveAll(written);
        } finally {
            for (Path temporary : written.keySet()) {
                Files.deleteIfExists(temporary);
            }
        }
    }

    /**
     * Moves each file in the keys of the map to the path in the value. If one move fails, the files that were already
     * replaced are restored.
     */
    private static void moveAll(Map<Path, Path> files) throws IOException {
        Path aside =
                Files.createTempDirectory(directoryOf(files.values().iterator().next()), ".sluice-");
        List<Path> moved = new ArrayList<>();
        try {
            for (Map.Entry<Path, Path> file : files.entrySet()) {
                Path target = file.getValue();
                if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                    Files.copy(
                            target,
                            aside.resolve(target.getFileName()),
                            LinkOption.NOFOLLOW_LINKS,
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
                Files.move(file.getKey(), target, StandardCopyOption.ATOMIC_MOVE);
                moved.add(target);
            }
        } catch (IOException failed) {
            putBack(moved, aside);
            throw failed;
        } finally {
            for (Path target : files.values()) {
                Files.deleteIfExists(aside.resolve(target.getFileName()));
            }
            Files.deleteIfExists(aside);
        }
    }

    private static void putBack(List<Path> moved, Path aside) throws IOException {
        for (Path target : moved) {
            Path former = aside.resolve(target.getFileName());
            if (Files.exists(former, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(former, target, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.delete(target);
            }
        }
    }

    private static Path directoryOf(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    private static Path temporary(Content content) throws IOException {
        Path temporary = Files.createTempFile(
                directoryOf(content.target()),
                ".sluice-",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FOR_OWNER)));
        try {
            Files.writeString(temporary, content.text(), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(content.mode()));
            return temporary;
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }
}
