package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.files.FileReadFailure;
import dev.sluice.files.GzipSource;
import dev.sluice.json.JsonOrYamlText;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * Reads facts from files. These are Lists as {@code kubectl get … -A -o json} or {@code -o yaml} writes them,
 * compressed with gzip or not, or directories of {@code kubectl cluster-info dump --output-directory}. Each file is
 * read as a stream, so that large files need little memory.
 */
public final class FactsFiles {

    private final FileLimits limits;
    private final FactListProgress progress;
    private final FactBudget budget;
    private final FactsCollector all;
    private long textBytes;
    private boolean isTooLong;

    /** Reads the facts of one cluster from all these files together. Blocks while it reads. */
    public static ClusterFacts read(List<Path> paths) throws SourceProblem {
        return read(paths, FileLimits.ofCommand(FileLimits.MEBIBYTES), (_, _) -> {});
    }

    /** Reads the facts of one cluster within these limits. A file of a directory that cannot be used is left out. */
    public static ClusterFacts read(List<Path> paths, FileLimits limits, FactListProgress progress)
            throws SourceProblem {
        return new FactsFiles(limits, progress).facts(paths);
    }

    private FactsFiles(FileLimits limits, FactListProgress progress) {
        this.limits = limits;
        this.progress = progress;
        budget = new FactBudget(limits.factBytes());
        all = new FactsCollector(budget, /* copies= */ 1);
    }

    private ClusterFacts facts(List<Path> paths) throws SourceProblem {
        for (Path path : paths) {
            List<Path> files = files(path);
            if (Files.isDirectory(path)) {
                collectAll(files);
            } else {
                collect(path);
            }
        }
        return all.facts();
    }

    /** Collects the files of a directory. A dump can contain files of other programs, which are named and left out. */
    private void collectAll(List<Path> files) throws SourceProblem {
        List<SourceProblem> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                collect(file);
            } catch (SourceProblem unusable) {
                if (isTooLong) {
                    throw unusable;
                }
                problems.add(unusable);
                all.unread("files", String.valueOf(unusable.getMessage()));
            }
        }
        if (problems.size() == files.size()) {
            throw problems.getFirst();
        }
    }

    private static List<Path> files(Path path) throws SourceProblem {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> within = Files.walk(path)) {
            within.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().matches(".*\\.(json|yaml|yml)(\\.gz)?"))
                    .sorted()
                    .forEach(files::add);
        } catch (IOException failed) {
            throw new SourceProblem(
                    path + " " + FileReadFailure.sentence(failed, FactListReader.HOW_TO_WRITE_ONE), failed);
        }
        if (files.isEmpty()) {
            throw new SourceProblem(path + " holds no .json or .yaml file; write them with: kubectl cluster-info dump"
                    + " -A --output-directory=" + path);
        }
        return files;
    }

    /**
     * Collects the facts of one file. They are added only after the whole file has been read, so that a damaged file
     * adds nothing.
     */
    private void collect(Path file) throws SourceProblem {
        FactsCollector read = new FactsCollector(budget, /* copies= */ 1);
        try {
            FactListReader reader = readOnce(file, read, List.of());
            if (reader.needsKinds()) {
                if (!Files.isRegularFile(file)) {
                    throw new SourceProblem(
                            file + " is a pipe, which can be read only once, and the kind of its objects"
                                    + " stands after them; save it to a file");
                }
                read.discard();
                read = new FactsCollector(budget, /* copies= */ 1);
                reader = readOnce(file, read, reader.kinds());
            }
            all.addAll(read);
        } catch (SourceProblem problem) {
            read.discard();
            throw problem;
        }
    }

    private FactListReader readOnce(Path file, FactsCollector collector, List<String> kinds) throws SourceProblem {
        ObjectCounts counts = new ObjectCounts(progress);
        try (MeteredFactText text = new MeteredFactText(
                        GzipSource.text(Files.newInputStream(file)), limits.textBytes() - textBytes);
                InputStream bytes = new BufferedInputStream(text, JsonOrYamlText.BUFFER);
                JsonParser parser = JsonOrYamlText.parser(bytes)) {
            FactListReader reader = new FactListReader(parser, collector, kinds, counts);
            reader.read();
            textBytes += text.count();
            return reader;
        } catch (SourceProblem problem) {
            throw new SourceProblem(file + problem.getMessage(), problem);
        } catch (MeteredFactText.TooLong tooLong) {
            throw tooMuch(file, counts, tooLong);
        } catch (JacksonException broken) {
            if (broken.getCause() instanceof MeteredFactText.TooLong tooLong) {
                throw tooMuch(file, counts, tooLong);
            }
            throw new SourceProblem(file + JsonOrYamlText.brokenAt(broken, FactListReader.HOW_TO_WRITE_ONE), broken);
        } catch (EOFException | ZipException broken) {
            throw new SourceProblem(
                    file + ": the file is cut short or no good gzip; " + FactListReader.HOW_TO_WRITE_ONE, broken);
        } catch (IOException failed) {
            throw new SourceProblem(
                    file + " " + FileReadFailure.sentence(failed, FactListReader.HOW_TO_WRITE_ONE), failed);
        }
    }

    private SourceProblem tooMuch(Path file, ObjectCounts counts, MeteredFactText.TooLong tooLong) {
        isTooLong = true;
        return new SourceProblem(
                file + ": the text is longer than " + (limits.textBytes() >> 20) + " MiB, most of it "
                        + counts.mostFrequent() + "; raise the limit with --read-limit, or leave out this kind",
                tooLong);
    }
}
