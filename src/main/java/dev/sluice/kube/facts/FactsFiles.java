package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.files.GzipSource;
import dev.sluice.files.MeteredFileStream;
import dev.sluice.json.JsonOrYamlText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the facts for a diagnosis from files. A file contains Lists that {@code kubectl get … -A -o json} or {@code -o
 * yaml} has written, and may be compressed with gzip. A directory contains the output of {@code kubectl cluster-info
 * dump --output-directory}. Each file is read as a stream, so that large files need little memory.
 */
public final class FactsFiles {

    private final KubectlFileLimits limits;
    private final FactListProgress progress;
    private final FactBudget budget;
    private final FactsCollector all;
    private long textBytes;
    private boolean isTooLong;

    /** Reads files that together describe one cluster, and returns the facts of the cluster. Blocks while it reads. */
    public static ClusterFacts read(List<Path> paths) throws ClusterStateException {
        return read(paths, KubectlFileLimits.ofCommand(KubectlFileLimits.MEBIBYTES), (_, _) -> {});
    }

    /**
     * Reads files that together describe one cluster, within these limits. If a file in a directory cannot be used, it
     * is reported and left out. Blocks while it reads.
     */
    public static ClusterFacts read(List<Path> paths, KubectlFileLimits limits, FactListProgress progress)
            throws ClusterStateException {
        return new FactsFiles(limits, progress).facts(paths);
    }

    private FactsFiles(KubectlFileLimits limits, FactListProgress progress) {
        this.limits = limits;
        this.progress = progress;
        budget = new FactBudget(limits.factBytes());
        all = new FactsCollector(budget, /* copies= */ 1);
    }

    private ClusterFacts facts(List<Path> paths) throws ClusterStateException {
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                collectAll(path);
            } else {
                collect(path);
            }
        }
        return all.facts();
    }

    /**
     * Collects the facts of all files in a directory. A dump can contain files of other programs. They are reported by
     * name and left out.
     */
    private void collectAll(Path directory) throws ClusterStateException {
        List<Path> files = DumpDirectory.files(
                directory, (file, clause) -> all.unread("files", file.toString(), file + " " + clause));
        List<ClusterStateException> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                collect(file);
            } catch (ClusterStateException unusable) {
                if (isTooLong) {
                    throw unusable;
                }
                problems.add(unusable);
                all.unread("files", file.toString(), String.valueOf(unusable.getMessage()));
            }
        }
        if (problems.size() == files.size()) {
            throw problems.getFirst();
        }
    }

    /**
     * Collects the facts of one file. The facts are added only after the whole file has been read, so that no facts of
     * a damaged file are used.
     */
    private void collect(Path file) throws ClusterStateException {
        FactsCollector read = new FactsCollector(budget, /* copies= */ 1);
        try {
            FactListReader reader = readOnce(file, read, List.of());
            if (reader.needsKinds()) {
                if (!Files.isRegularFile(file)) {
                    throw new ClusterStateException(
                            file + " is a pipe, which can be read only once, and the kind of its objects"
                                    + " stands after them; save it to a file");
                }
                read.discard();
                read = new FactsCollector(budget, /* copies= */ 1);
                reader = readOnce(file, read, reader.kinds());
            }
            all.addAll(read);
        } catch (ClusterStateException problem) {
            read.discard();
            throw problem;
        }
    }

    private FactListReader readOnce(Path file, FactsCollector collector, List<String> kinds)
            throws ClusterStateException {
        KubectlFileCounts counts = new KubectlFileCounts(progress);
        try (MeteredFileStream text = new MeteredFileStream(GzipSource.text(file), limits.textBytes() - textBytes);
                InputStream bytes = new BufferedInputStream(text, JsonOrYamlText.BUFFER);
                JsonParser parser = JsonOrYamlText.parser(bytes)) {
            FactListReader reader = new FactListReader(parser, collector, kinds, counts, text::found);
            try {
                JsonOrYamlText.read(parser, reader::read);
            } finally {
                // The text of a damaged file counts, too, because a directory may have many such files.
                textBytes += text.count();
            }
            return reader;
        } catch (ClusterStateException problem) {
            throw new ClusterStateException(file + problem.getMessage(), problem);
        } catch (IOException failed) {
            isTooLong = MeteredFileStream.isTooLong(failed);
            throw new ClusterStateException(
                    file
                            + KubectlFileProblem.sentence(
                                    failed, limits, counts.mostFrequent(), FactListReader.HOW_TO_WRITE_ONE),
                    failed);
        }
    }
}
