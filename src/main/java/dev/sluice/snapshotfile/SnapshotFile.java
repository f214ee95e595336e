package dev.sluice.snapshotfile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.sluice.event.PodEvent;
import dev.sluice.event.SourceProblem;
import dev.sluice.event.UnreadableObjects;
import dev.sluice.json.Parsers;
import dev.sluice.node.Node;
import dev.sluice.pod.Pod;
import dev.sluice.reload.ReadFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * A file with the cluster's nodes and pods, as {@code kubectl get nodes,pods -A -o json} or {@code -o yaml} writes it;
 * a single Node or Pod and several documents in one file are accepted too. The file is read as a stream.
 */
public final class SnapshotFile {

    /**
     * The content of a file.
     *
     * @param ended pods in a terminal phase that have a stamp, so that a gateway may have decided about them
     * @param nodesPassedOver nodes that could not be read
     * @param warnings sentences about nodes and pods that could not be read, or are in the file more than once
     */
    public record SnapshotContents(
            List<Node> nodes,
            List<Pod> pods,
            List<PodEvent.PodRemoved> ended,
            UnreadableObjects nodesPassedOver,
            UnreadableObjects podsPassedOver,
            List<String> warnings) {
        public SnapshotContents {
            nodes = List.copyOf(nodes);
            pods = List.copyOf(pods);
            ended = List.copyOf(ended);
            warnings = List.copyOf(warnings);
        }
    }

    private static final int BUFFER = 64 * 1024;

    /** Some editors write it at the beginning of a UTF-8 file. */
    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    private SnapshotFile() {}

    /** Blocks while it reads. */
    public static SnapshotContents read(Path file) throws SourceProblem {
        if (Files.isDirectory(file)) {
            throw new SourceProblem(file + " is a directory; name a file");
        }
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER);
                JsonParser parser = parser(bytes)) {
            return new SnapshotCollector().read(parser);
        } catch (SourceProblem problem) {
            throw new SourceProblem(file + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            throw new SourceProblem(file + brokenAt(broken), broken);
        } catch (IOException failed) {
            throw new SourceProblem(
                    file + " " + ReadFailure.sentence(failed, SnapshotCollector.HOW_TO_WRITE_ONE), failed);
        }
    }

    /** A text that does not begin with a brace is YAML. */
    private static JsonParser parser(InputStream bytes) throws IOException, SourceProblem {
        bytes.mark(BUFFER);
        int first = bytes.read();
        if (first == BYTE_ORDER_MARK[0]) {
            bytes.skipNBytes(BYTE_ORDER_MARK.length - 1);
            bytes.mark(BUFFER);
            first = bytes.read();
        }
        if (first == 0xFE || first == 0xFF) {
            throw new SourceProblem(" is UTF-16, as PowerShell writes it; save it as UTF-8");
        }
        int looked = 1;
        while (looked < BUFFER && isBlank(first)) {
            first = bytes.read();
            looked++;
        }
        bytes.reset();
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
        return first == '{' ? Parsers.json(text) : Parsers.yaml(text);
    }

    private static boolean isBlank(int octet) {
        return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n';
    }

    private static String brokenAt(JacksonException broken) {
        JsonLocation at = broken.getLocation();
        String where = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
        return where + ": " + reason(broken) + "; " + SnapshotCollector.HOW_TO_WRITE_ONE;
    }

    private static String reason(JacksonException broken) {
        if (broken instanceof JsonEOFException) {
            return "the file is cut short";
        }
        if (Stream.<Throwable>iterate(broken, Objects::nonNull, Throwable::getCause)
                .anyMatch(CharacterCodingException.class::isInstance)) {
            return "the text is not UTF-8";
        }
        if (broken instanceof StreamConstraintsException tooMuch) {
            // The message ends with the name of a method of the parser.
            return tooMuch.getOriginalMessage().replaceFirst(", from `[^`]*`", "");
        }
        String text =
                broken.getCause() instanceof MarkedYAMLException yaml ? yaml.getProblem() : broken.getOriginalMessage();
        return text.lines().findFirst().orElse("not readable");
    }
}
