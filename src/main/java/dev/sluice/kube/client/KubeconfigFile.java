package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.files.FileReadFailure;
import dev.sluice.json.JsonOrYamlText;
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

/** A kubeconfig file with its parsed content. */
record KubeconfigFile(Path file, JsonNode root) {

    /**
     * Parses YAML in the same way as fabric8. Therefore every file that fabric8 can read is accepted, and YAML aliases
     * have the same meaning.
     */
    private static final KubernetesSerialization AS_FABRIC8 =
            new KubernetesSerialization(new ObjectMapper(), /* searchClassloaders= */ false);

    /**
     * An entry of one of the lists {@code contexts}, {@code clusters} and {@code users}. Relative paths in the entry
     * are relative to the directory of the file.
     */
    record NamedEntry(Path file, String name, JsonNode value) {}

    static KubeconfigFile read(Path file, KubeconfigAdvice advice) throws ClusterStateException {
        String orAnother = "name another with " + advice.kubeconfig();
        // Fabric8 reads the file again later. A pipe can be read only once, so it is refused.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new ClusterStateException(file + " is a directory or a pipe; " + orAnother);
        }
        try (InputStream bytes = Files.newInputStream(file)) {
            JsonNode root = AS_FABRIC8.unmarshal(bytes, JsonNode.class);
            if (root == null || !root.isObject()) {
                throw new ClusterStateException(file + " is not a kubeconfig; " + orAnother);
            }
            return new KubeconfigFile(file, root);
        } catch (IOException failed) {
            throw new ClusterStateException(file + " " + FileReadFailure.sentence(failed, orAnother), failed);
        } catch (RuntimeException refused) {
            throw broken(file, refused, orAnother);
        } catch (StackOverflowError recursive) {
            // A YAML alias may be a part of the value to which it refers. Fabric8 resolves such an alias again and
            // again until the stack overflows.
            throw new ClusterStateException(
                    file + " is nested too deeply, or has an alias of a value that contains it; correct it there, or "
                            + orAnother,
                    recursive);
        }
    }

    /**
     * Creates the error for a file that fabric8 cannot parse. Jackson's parser reads the file again to find the line,
     * because fabric8's exception does not contain it.
     */
    private static ClusterStateException broken(Path file, RuntimeException refused, String orAnother) {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), JsonOrYamlText.BUFFER);
                JsonParser parser =
                        JsonOrYamlText.parser(bytes).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)) {
            while (parser.nextToken() != null) {
                // The file is parsed only for the exception that names the line of the mistake.
            }
            return new ClusterStateException(file + " is not a kubeconfig; " + orAnother, refused);
        } catch (ClusterStateException problem) {
            return new ClusterStateException(file + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            if (broken.getCause() instanceof ReaderException) {
                return new ClusterStateException(
                        file + controlCharacter(file) + "; correct it there, or " + orAnother, broken);
            }
            return new ClusterStateException(
                    file + JsonOrYamlText.brokenAt(broken, "correct it there, or " + orAnother), broken);
        } catch (IOException failed) {
            return new ClusterStateException(file + " " + FileReadFailure.sentence(failed, orAnother), failed);
        }
    }

    /**
     * Finds the line of an illegal control character in the text. The position in the exception cannot be used, because
     * it is relative to the parser's buffer.
     */
    private static String controlCharacter(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            long before = lines.takeWhile(line -> line.codePoints().allMatch(StreamReader::isPrintable))
                    .count();
            return ", line " + (before + 1) + ": there is a control character";
        } catch (IOException | UncheckedIOException _) {
            return ": there is a control character";
        }
    }

    /** Returns the entry with this name. If several files have such an entry, the first file takes precedence. */
    static Optional<NamedEntry> find(Stream<KubeconfigFile> files, String list, String name) {
        return files.flatMap(it -> it.entries(list))
                .filter(entry -> entry.name().equals(name))
                .findFirst();
    }

    /** Returns the entries of the list {@code contexts}, {@code clusters} or {@code users}. */
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

    /**
     * Returns the value of this key as text. Returns an empty text if the key is missing, or if its value is a map or a
     * list.
     */
    static String text(JsonNode mapping, String key) {
        return mapping.path(key).asText("");
    }
}
