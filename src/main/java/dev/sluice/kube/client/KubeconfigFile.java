package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.files.ReadFailure;
import dev.sluice.json.SnapshotText;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** One file and the tree that it holds. */
record KubeconfigFile(Path file, JsonNode root) {

    /** What fabric8 can read is never refused, and aliases mean what they mean to it. */
    private static final KubernetesSerialization AS_FABRIC8 =
            new KubernetesSerialization(new ObjectMapper(), /* searchClassloaders= */ false);

    /** An entry of one of the lists, such as a user. Relative paths in it begin at its file. */
    record NamedEntry(Path file, String name, JsonNode value) {}

    static KubeconfigFile read(Path file, ClusterAdvice advice) throws SourceProblem {
        String orAnother = "name another with " + advice.kubeconfig();
        // fabric8 reads the file once more, which a pipe does not allow.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new SourceProblem(file + " is a directory or a pipe; " + orAnother);
        }
        try (InputStream bytes = Files.newInputStream(file)) {
            JsonNode root = AS_FABRIC8.unmarshal(bytes, JsonNode.class);
            if (root == null || !root.isObject()) {
                throw new SourceProblem(file + " is no kubeconfig; " + orAnother);
            }
            return new KubeconfigFile(file, root);
        } catch (IOException failed) {
            throw new SourceProblem(file + " " + ReadFailure.sentence(failed, orAnother), failed);
        } catch (RuntimeException refused) {
            throw broken(file, refused, orAnother);
        }
    }

    /** fabric8 names no line, so another parser looks for it. */
    private static SourceProblem broken(Path file, RuntimeException refused, String orAnother) {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), SnapshotText.BUFFER);
                JsonParser parser = SnapshotText.parser(bytes).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)) {
            while (parser.nextToken() != null) {
                // Only where it fails is of interest.
            }
            return new SourceProblem(file + " is no kubeconfig; " + orAnother, refused);
        } catch (SourceProblem problem) {
            return new SourceProblem(file + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            if (broken.getCause() instanceof ReaderException) {
                return new SourceProblem(file + controlCharacter(file) + "; mend it there, or " + orAnother, broken);
            }
            return new SourceProblem(file + SnapshotText.brokenAt(broken, "mend it there, or " + orAnother), broken);
        } catch (IOException failed) {
            return new SourceProblem(file + " " + ReadFailure.sentence(failed, orAnother), failed);
        }
    }

    /** The line is searched for, because the exception has a position in the parser's buffer. */
    private static String controlCharacter(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            long before = lines.takeWhile(line -> line.codePoints().allMatch(StreamReader::isPrintable))
                    .count();
            return ", line " + (before + 1) + ": there is a control character";
        } catch (IOException | UncheckedIOException _) {
            return ": there is a control character";
        }
    }

    /** The first entry of this name: what an earlier file says holds. */
    static Optional<NamedEntry> find(Stream<KubeconfigFile> files, String list, String name) {
        return files.flatMap(it -> it.entries(list))
                .filter(entry -> entry.name().equals(name))
                .findFirst();
    }

    /** The entries of {@code contexts}, {@code clusters} or {@code users}. */
    Stream<NamedEntry> entries(String list) {
        String key = list.substring(0, list.length() - 1);
        return root.path(list)
                .valueStream()
                .map(entry -> new NamedEntry(file, text(entry, "name"), entry.path(key)))
                .filter(entry -> !entry.name().isEmpty());
    }

    String currentContext() {
        return text(root, "current-context");
    }

    /** Empty if there is none. */
    static String text(JsonNode mapping, String key) {
        return mapping.path(key).asText("");
    }
}
