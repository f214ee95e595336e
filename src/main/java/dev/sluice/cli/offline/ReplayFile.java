package dev.sluice.cli.offline;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.offline.ReplayOmissions.LeftOutCause;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.files.FileReadFailure;
import dev.sluice.files.GzipSource;
import dev.sluice.files.MeteredFileStream;
import dev.sluice.json.JsonOrYamlText;
import dev.sluice.json.JsonParsers;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;

/** Reads a file of any of the kinds that can be replayed, gzipped or not. The beginning of the file shows its kind. */
final class ReplayFile {

    private static final String HOW_TO_WRITE_ONE = "write it with: kubectl get pods -A -o json";

    private final ReplayTimeline timeline;
    private final ReplayOmissions leftOut;
    private final ReplayProgress progress;
    private final ReplayedBefore seen = new ReplayedBefore();

    ReplayFile(ReplayTimeline timeline, ReplayOmissions leftOut, ReplayProgress progress) {
        this.timeline = timeline;
        this.leftOut = leftOut;
        this.progress = progress;
    }

    /** @param file the name of the file; {@code -} for standard input */
    void read(String file) throws UserProblem {
        String source = shown(file);
        try (InputStream bytes = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            read(source, new MeteredFileStream(GzipSource.text(bytes), Long.MAX_VALUE));
        } catch (ClusterStateException problem) {
            throw new UserProblem(source + problem.getMessage(), problem);
        } catch (JacksonException broken) {
            refuseBarren(source, broken);
            throw new UserProblem(source + JsonOrYamlText.brokenAt(broken, HOW_TO_WRITE_ONE), broken);
        } catch (ZipException broken) {
            throw new UserProblem(source + ": the file is no good gzip", broken);
        } catch (IOException failed) {
            refuseBarren(source, failed);
            boolean directory = Files.isDirectory(Path.of(file));
            throw new UserProblem(
                    source + " "
                            + (directory
                                    ? "cannot be read: it is a directory; name its files"
                                    : FileReadFailure.sentence(failed, "name a file, or - for standard input")),
                    failed);
        }
    }

    private void read(String source, MeteredFileStream bytes) throws IOException, ClusterStateException, UserProblem {
        BufferedInputStream text = new BufferedInputStream(bytes, JsonOrYamlText.BUFFER);
        if (isOfObjects(text)) {
            Runnable found = () -> {
                bytes.found();
                progress.pod();
            };
            new ReplayPodList(source, timeline, leftOut, seen, found).read(text);
            return;
        }
        try {
            new ReplayedLogLines(source, timeline, leftOut, seen, bytes::found).read(text, progress::bytes);
        } catch (EOFException _) {
            leftOut.add(LeftOutCause.CUT, source + ", at the end of the gzip");
        }
    }

    private static void refuseBarren(String source, IOException failed) throws UserProblem {
        Optional<MeteredFileStream.Barren> barren = MeteredFileStream.barren(failed);
        if (barren.isPresent()) {
            throw new UserProblem(
                    source + ": " + barren.get().getMessage() + " that can be replayed; " + HOW_TO_WRITE_ONE, failed);
        }
    }

    /** Returns the name of a file as messages show it. */
    static String shown(String file) {
        return file.equals("-") ? "standard input" : file;
    }

    /**
     * Returns true if the file contains Kubernetes objects, and false if it consists of lines. A file in UTF-16 cannot
     * be read. Returns true for such a file, because only the reader of objects reports this problem.
     */
    private static boolean isOfObjects(BufferedInputStream text) throws IOException {
        text.mark(JsonOrYamlText.BUFFER);
        byte[] beginning = text.readNBytes(JsonOrYamlText.BUFFER);
        text.reset();
        if (beginning.length > 1 && (beginning[0] == (byte) 0xFE || beginning[0] == (byte) 0xFF)) {
            return true;
        }
        String start = new String(beginning, StandardCharsets.UTF_8).stripLeading();
        if (start.startsWith("\ufeff")) {
            start = start.substring(1).stripLeading();
        }
        return start.startsWith("{") ? isObject(start) : start.matches("(?s)(---|#|apiVersion:|kind:|items:).*");
    }

    /**
     * Returns true if the first fields of the JSON object show that it is a Kubernetes object. Only the beginning of
     * the file is searched.
     */
    private static boolean isObject(String start) {
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(start.getBytes(StandardCharsets.UTF_8)))) {
            parser.nextToken();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (field) {
                    case "apiVersion" -> {
                        return value == JsonToken.VALUE_STRING
                                && parser.getText().equals("v1");
                    }
                    case "items", "spec", "metadata" -> {
                        return true;
                    }
                    case "auditID", "decision", "stage" -> {
                        return false;
                    }
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException _) {
            // The object is longer than the beginning that is searched, or the file is not JSON.
        }
        return false;
    }
}
