package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.files.ReadFailure;
import dev.sluice.json.SnapshotText;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads facts from files. These are Lists as {@code kubectl get … -A -o json} or {@code -o yaml} writes them,
 * compressed with gzip or not, or directories of {@code kubectl cluster-info dump --output-directory}. Each file is
 * read as a stream, so that large files need little memory.
 */
public final class FactsFiles {

    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private FactsFiles() {}

    /** Reads the facts of one cluster from all these files together. Blocks while it reads. */
    public static ClusterFacts read(List<Path> paths) throws SourceProblem {
        FactsCollector collector = new FactsCollector();
        for (Path path : paths) {
            for (Path file : files(path)) {
                collect(file, collector);
            }
        }
        return collector.facts();
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
            throw new SourceProblem(path + " " + ReadFailure.sentence(failed, ListReader.HOW_TO_WRITE_ONE), failed);
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
    private static void collect(Path file, FactsCollector collector) throws SourceProblem {
        FactsCollector read = new FactsCollector();
        ListReader reader = readOnce(file, read, List.of());
        if (reader.needsKinds()) {
            if (!Files.isRegularFile(file)) {
                throw new SourceProblem(file + " is a pipe, which can be read only once, and the kind of its objects"
                        + " stands after them; save it to a file");
            }
            read = new FactsCollector();
            reader = readOnce(file, read, reader.kinds());
        }
        collector.addAll(read);
    }

    private static ListReader readOnce(Path file, FactsCollector collector, List<String> kinds) throws SourceProblem {
        try (InputStream bytes = opened(file);
                JsonParser parser = SnapshotText.parser(bytes)) {
            ListReader reader = new ListReader(parser, collector, kinds);
            reader.read();
            return reader;
        } catch (SourceProblem problem) {
            throw new SourceProblem(file + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            throw new SourceProblem(file + SnapshotText.brokenAt(broken, ListReader.HOW_TO_WRITE_ONE), broken);
        } catch (EOFException | ZipException broken) {
            throw new SourceProblem(
                    file + ": the file is cut short or no good gzip; " + ListReader.HOW_TO_WRITE_ONE, broken);
        } catch (IOException failed) {
            throw new SourceProblem(file + " " + ReadFailure.sentence(failed, ListReader.HOW_TO_WRITE_ONE), failed);
        }
    }

    private static InputStream opened(Path file) throws IOException {
        InputStream bytes = new BufferedInputStream(Files.newInputStream(file), SnapshotText.BUFFER);
        bytes.mark(2);
        boolean gzip = bytes.read() == GZIP_FIRST && bytes.read() == GZIP_SECOND;
        bytes.reset();
        return gzip
                ? new BufferedInputStream(new GZIPInputStream(bytes, SnapshotText.BUFFER), SnapshotText.BUFFER)
                : bytes;
    }
}
