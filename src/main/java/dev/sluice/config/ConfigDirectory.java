package dev.sluice.config;

import dev.sluice.files.FileReadFailure;
import dev.sluice.text.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a configuration that is a directory of YAML files, such as a mounted ConfigMap. In such a directory, each part
 * of an installation can have a file of its own.
 */
final class ConfigDirectory {

    /** The text that stands for the directory in messages about the directory as a whole. */
    static final String SUBJECT = "the directory";

    /**
     * The maximum number of entries. A ConfigMap has at most 1 MiB, so a thousand files would have only 1 KiB each.
     * More entries are often a sign that the user named the wrong directory, such as one for temporary files.
     */
    private static final int MOST_ENTRIES = 1_000;

    private ConfigDirectory() {}

    /**
     * Returns the files of the directory whose names end in {@code .yaml} or {@code .yml}, sorted by name. Hidden files
     * are skipped, because Kubernetes keeps the content of a mounted ConfigMap in hidden directories, and editors write
     * hidden files.
     */
    static List<Path> files(Path directory) throws IOException {
        return visible(directory).stream().filter(ConfigDirectory::isYaml).toList();
    }

    /** Reads and merges all files. Reports a problem for each file that cannot be read. */
    static YamlNode read(Path directory, ProblemCollector problems) {
        try {
            List<Path> files = files(directory);
            return files.isEmpty()
                    ? refuse(problems, "has no file whose name ends in .yaml", "name the directory of gateway.yaml")
                    : new ConfigOverlay(problems).merged(documents(files, problems));
        } catch (TooManyEntriesException _) {
            return refuse(
                    problems,
                    "has more than " + MOST_ENTRIES + " entries",
                    "name a directory that holds only the configuration");
        } catch (IOException failed) {
            return refuse(problems, FileReadFailure.of(failed).fault(), "change its permissions, or name another");
        }
    }

    private static YamlNode refuse(ProblemCollector problems, String fault, String fix) {
        problems.problem(problems.document(), SUBJECT, fault, fix);
        return new YamlNode.Reported(problems.document());
    }

    private static List<YamlNode> documents(List<Path> files, ProblemCollector problems) {
        List<YamlNode> documents = new ArrayList<>();
        int left = ConfigFile.MOST_BYTES;
        for (Path file : files) {
            ProblemCollector ofFile = problems.in(SafeText.line(file.toString()));
            Optional<String> text = text(file, left, ofFile);
            left -= text.map(read -> read.getBytes(StandardCharsets.UTF_8).length)
                    .orElse(0);
            documents.add(text.map(read -> document(read, ofFile)).orElse(new YamlNode.Reported(ofFile.document())));
        }
        return documents;
    }

    private static Optional<String> text(Path file, int most, ProblemCollector problems) {
        // Only regular files are read, because opening a named pipe waits until a writer opens it.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            problems.problem(
                    problems.document(),
                    KeyPath.ROOT,
                    "is not a regular file",
                    "move it away, or give it a name that does not end in .yaml or .yml");
            return Optional.empty();
        }
        return ConfigFile.read(
                file, most, "write less: the limit is for all files of the directory together", problems);
    }

    /** Returns the document. Reports a problem if it is neither a map nor empty. */
    private static YamlNode document(String text, ProblemCollector problems) {
        YamlNode root = ConfigDocumentTree.yaml(text, problems);
        return switch (root) {
            case YamlNode.Mapping _, YamlNode.Null _, YamlNode.Reported _ -> root;
            case YamlNode.Items _, YamlNode.Scalar _ -> {
                ConfigSection.refuseAsSection(root, root.position(), KeyPath.ROOT, problems);
                yield new YamlNode.Reported(root.position());
            }
        };
    }

    /**
     * Warns about each regular file in the directory that is neither hidden nor read, because the user may have meant
     * it to be a part of the configuration.
     */
    static void warnOfOthers(Path directory, Optional<Path> injection, ProblemCollector problems) {
        try {
            visible(directory).stream()
                    .filter(file -> !isYaml(file) && Files.isRegularFile(file))
                    .filter(file ->
                            injection.filter(named -> isSame(named, file)).isEmpty())
                    .forEach(file -> problems.warning(
                            problems.in(SafeText.line(file.toString())).document(),
                            KeyPath.ROOT,
                            "is not read, because its name does not end in .yaml or .yml",
                            "rename it, or move it away"));
        } catch (IOException _) {
            // This problem was already reported when the directory was read.
        }
    }

    private static boolean isSame(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }

    private static boolean isYaml(Path file) {
        String name = name(file);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static List<Path> visible(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(directory, entry -> !name(entry).startsWith("."))) {
            for (Path entry : all) {
                if (entries.size() == MOST_ENTRIES) {
                    throw new TooManyEntriesException();
                }
                entries.add(entry);
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        entries.sort(null);
        return entries;
    }

    private static final class TooManyEntriesException extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
