package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.files.FileReadFailure;
import dev.sluice.files.GzipSource;
import dev.sluice.json.JsonOrYamlText;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipException;

/**
 * Reads the bytes of a manifest file, decompressed if it is gzipped. The number of bytes is limited, because a file
 * such as /dev/zero has no end, and a small compressed file can contain gigabytes.
 *
 * @param mebibytes the largest length in MiB that the user allows for a file
 * @param heapBytes the maximum heap of this process in bytes
 */
public record ManifestFile(int mebibytes, long heapBytes) {

    /** The default for {@link #mebibytes}. A file with a cluster of 5,000 pods has about 50 MiB. */
    public static final int MEBIBYTES = 64;

    private static final int MEBIBYTE = 1 << 20;

    /** The assumed maximum number of bytes of memory that one byte of a file needs. */
    private static final int GROWTH = 64;

    private static final int MOST_KINDS = 1_000;

    /** The nesting depth of a field of a list item: list object, array {@code items}, item. */
    private static final int DEPTH_OF_ITEMS = 3;

    static String source(String file) {
        return file.equals("-") ? "standard input" : file;
    }

    /**
     * Returns the text of the file.
     *
     * @param file the name of the file; {@code -} for standard input
     */
    public byte[] read(String file) throws UserProblem {
        try {
            if (file.equals("-")) {
                return read(file, System.in);
            }
            try (InputStream bytes = Files.newInputStream(Path.of(file))) {
                return read(file, bytes);
            }
        } catch (EOFException | ZipException broken) {
            throw new UserProblem(source(file) + ": the file is cut short or no good gzip", broken);
        } catch (IOException failed) {
            boolean directory = FileReadFailure.of(failed) == FileReadFailure.OTHER && Files.isDirectory(Path.of(file));
            String why = directory
                    ? "cannot be read: it is a directory"
                    : FileReadFailure.sentence(failed, "name a file, or - for standard input");
            throw new UserProblem(source(file) + " " + why, failed);
        }
    }

    private byte[] read(String file, InputStream source) throws IOException, UserProblem {
        int most = Math.toIntExact(Math.min((long) mebibytes * MEBIBYTE, mostOfHeap()));
        byte[] text = GzipSource.text(source).readNBytes(most + 1);
        if (text.length > most) {
            throw new UserProblem(source(file) + ": the text is longer than " + most / MEBIBYTE + " MiB"
                    + mostFrequentKind(text) + "; " + advice() + ", or give fewer objects");
        }
        return text;
    }

    private long mostOfHeap() {
        return Math.clamp(heapBytes / GROWTH, (long) MEBIBYTE, (long) Integer.MAX_VALUE - 1);
    }

    private String advice() {
        return mostOfHeap() < (long) mebibytes * MEBIBYTE
                ? "allow a larger heap, for example with SLUICE_JAVA_OPTS=-Xmx" + 4 * heapBytes / MEBIBYTE + "m"
                : "raise the limit with --read-limit";
    }

    /** Returns a clause with the most frequent kind of the objects; empty if the beginning of the text has none. */
    private static String mostFrequentKind(byte[] text) {
        Map<String, Integer> counts = new TreeMap<>();
        try (JsonParser parser = JsonOrYamlText.parser(new ByteArrayInputStream(text))) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING
                        && parser.getParsingContext().getNestingDepth() <= DEPTH_OF_ITEMS
                        && Objects.equals(parser.currentName(), "kind")
                        && (counts.size() < MOST_KINDS || counts.containsKey(parser.getText()))) {
                    counts.merge(parser.getText(), 1, Integer::sum);
                }
            }
        } catch (IOException | ClusterStateException _) {
            // The text ends too early, because it was cut at the limit, or it is not a list of objects. The kinds that
            // were counted so far are used.
        }
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> ", most of it of the kind " + most.getKey() + " (" + most.getValue() + " were read)")
                .orElse("");
    }
}
