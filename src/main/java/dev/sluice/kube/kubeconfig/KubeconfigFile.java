package dev.sluice.kube.kubeconfig;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.event.SourceProblem;
import dev.sluice.config.reload.ReadFailure;
import dev.sluice.json.SnapshotText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** One file and the tree that it holds. */
record KubeconfigFile(Path file, JsonNode root) {

    private static final ObjectMapper TREES = new ObjectMapper();

    private static final String OR_ANOTHER = "name another with --kubeconfig, kubernetes.kubeconfig or KUBECONFIG";

    /** An entry of one of the lists, such as a user. Relative paths in it begin at its file. */
    record NamedEntry(Path file, String name, JsonNode value) {}

    static KubeconfigFile read(Path file) throws SourceProblem {
        // fabric8 reads the file once more, which a pipe does not allow.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new SourceProblem(file + " is a directory or a pipe; " + OR_ANOTHER);
        }
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), SnapshotText.BUFFER);
                JsonParser parser = SnapshotText.parser(bytes)) {
            JsonNode root = TREES.readTree(parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION));
            if (root == null || !root.isObject()) {
                throw new SourceProblem(" is no kubeconfig; " + OR_ANOTHER);
            }
            return new KubeconfigFile(file, root);
        } catch (SourceProblem problem) {
            throw new SourceProblem(file + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            throw new SourceProblem(file + SnapshotText.brokenAt(broken, "mend it there, or " + OR_ANOTHER), broken);
        } catch (IOException failed) {
            throw new SourceProblem(file + " " + ReadFailure.sentence(failed, OR_ANOTHER), failed);
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
