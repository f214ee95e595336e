package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.files.FileReadFailure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** Finds the files with lists in a directory that {@code kubectl cluster-info dump --output-directory} has written. */
final class DumpDirectory extends SimpleFileVisitor<Path> {

    /** The maximum number of entries. The dump of a cluster with 10,000 namespaces has about 80,000 files. */
    private static final int MOST_ENTRIES = 200_000;

    private static final Pattern NAME_OF_LIST = Pattern.compile(".*\\.(json|yaml|yml)(\\.gz)?");

    private final Path directory;
    private final BiConsumer<Path, String> passedOver;
    private final List<Path> files = new ArrayList<>();
    private int entries;

    private DumpDirectory(Path directory, BiConsumer<Path, String> passedOver) {
        this.directory = directory;
        this.passedOver = passedOver;
    }

    /**
     * Returns the files with Lists, sorted. Pipes and devices are not returned, because they may have no end. Links to
     * directories are not followed, because they may lead back to this directory.
     *
     * @param passedOver a callback for each entry that is left out. It receives the path, and the reason as the rest of
     *     a sentence
     */
    static List<Path> files(Path directory, BiConsumer<Path, String> passedOver) throws ClusterStateException {
        DumpDirectory found = new DumpDirectory(directory, passedOver);
        try {
            var _ = Files.walkFileTree(directory, found);
        } catch (IOException failed) {
            throw new ClusterStateException(
                    directory + " " + FileReadFailure.sentence(failed, FactListReader.HOW_TO_WRITE_ONE), failed);
        }
        if (found.entries > MOST_ENTRIES) {
            throw new ClusterStateException(
                    directory + " holds more than " + MOST_ENTRIES + " files; name the directory of one dump");
        }
        if (found.files.isEmpty()) {
            throw new ClusterStateException(
                    directory + " holds no .json or .yaml file; write them with: kubectl cluster-info dump"
                            + " -A --output-directory=" + directory);
        }
        Collections.sort(found.files);
        return found.files;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        boolean isNamedAsList =
                NAME_OF_LIST.matcher(file.getFileName().toString()).matches();
        if (attributes.isSymbolicLink() && Files.isDirectory(file)) {
            passedOver.accept(file, "is a link to a directory");
        } else if (isNamedAsList && Files.isRegularFile(file)) {
            files.add(file);
        } else if (isNamedAsList) {
            passedOver.accept(file, "is no regular file");
        }
        return next();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
        if (file.equals(directory)) {
            throw failed;
        }
        passedOver.accept(file, FileReadFailure.of(failed).fault());
        return next();
    }

    private FileVisitResult next() {
        entries++;
        return entries > MOST_ENTRIES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }
}
