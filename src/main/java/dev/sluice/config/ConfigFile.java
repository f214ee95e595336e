package dev.sluice.config;

import dev.sluice.files.FileReadFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the text of a configuration file, or reports why the file cannot be read. */
final class ConfigFile {

    /** The byte order mark, which some editors write at the beginning of a UTF-8 file. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /**
     * The maximum size of a file in bytes. It is the maximum size of a ConfigMap, from which the file usually comes.
     */
    static final int MOST_BYTES = ConfigDocumentTree.MOST_BYTES;

    private ConfigFile() {}

    /**
     * Reads the file. Reports a problem and returns empty if the file cannot be read.
     *
     * @param what the kind of file that was expected, such as "a gateway configuration". If the file is too large, the
     *     user is advised to name this kind of file
     */
    static Optional<String> read(Path file, String what, ProblemCollector problems) {
        return Files.isDirectory(file)
                ? refuse(problems, "is a directory", "name the file in it")
                : read(file, MOST_BYTES, "name " + what, problems);
    }

    /**
     * Reads the file. Reports a problem and returns empty if the file cannot be read.
     *
     * @param most the maximum size of the file in bytes. In a directory, the sizes of the files before it are
     *     subtracted
     * @param smaller the advice in the message about a file that is too large
     */
    static Optional<String> read(Path file, int most, String smaller, ProblemCollector problems) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            return bytes.length > most ? refuse(problems, tooLarge(most), smaller) : decode(bytes, problems);
        } catch (IOException failed) {
            FileReadFailure failure = FileReadFailure.of(failed);
            return switch (failure) {
                case MISSING -> refuse(problems, failure.fault(), "create it or name another");
                case DENIED -> refuse(problems, failure.fault(), "change its permissions");
                case NOT_UTF8, OTHER ->
                    refuse(problems, failure.fault() + " (" + failed.getMessage() + ")", "name a readable file");
            };
        }
    }

    private static String tooLarge(int most) {
        return most == MOST_BYTES
                ? "is larger than " + MOST_BYTES + " bytes, the most a ConfigMap holds"
                : "makes the directory larger than " + MOST_BYTES + " bytes, the most a ConfigMap holds";
    }

    private static Optional<String> decode(byte[] bytes, ProblemCollector problems) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
            problems.problem(line, KeyPath.ROOT, "is not UTF-8 from here on", "save it as UTF-8");
            return Optional.empty();
        }
        return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    private static Optional<String> refuse(ProblemCollector problems, String fault, String fix) {
        problems.problem(problems.document(), KeyPath.ROOT, fault, fix);
        return Optional.empty();
    }
}
