package dev.sluice.config;

import dev.sluice.config.tree.DocumentTree;
import dev.sluice.config.tree.KeyPath;
import dev.sluice.config.tree.Problem;
import dev.sluice.config.tree.ProblemCollector;
import dev.sluice.reload.ReadFailure;
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

/** The text of a configuration file, or a finding that says why there is none. */
public final class ConfigFile {

    /** How some editors begin UTF-8. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** What a ConfigMap can hold, from which the files usually come. */
    private static final int MOST_BYTES = DocumentTree.MOST_BYTES;

    private ConfigFile() {}

    /** @param what the file is, for messages */
    static Optional<String> read(Path file, String what, ProblemCollector findings) {
        if (Files.isDirectory(file)) {
            return refuse(findings, "is a directory", "name the file in it");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            return bytes.length > MOST_BYTES
                    ? refuse(
                            findings,
                            "is larger than " + MOST_BYTES + " bytes, the most a ConfigMap holds",
                            "name " + what)
                    : decode(bytes, findings);
        } catch (IOException failed) {
            ReadFailure failure = ReadFailure.of(failed);
            return switch (failure) {
                case MISSING -> refuse(findings, failure.fault(), "create it or name another");
                case DENIED -> refuse(findings, failure.fault(), "change its permissions");
                case NOT_UTF8, OTHER ->
                    refuse(findings, failure.fault() + " (" + failed.getMessage() + ")", "name a readable file");
            };
        }
    }

    private static Optional<String> decode(byte[] bytes, ProblemCollector findings) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
            findings.problem(line, KeyPath.ROOT, "is not UTF-8 from here on", "save it as UTF-8");
            return Optional.empty();
        }
        return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    private static Optional<String> refuse(ProblemCollector findings, String fault, String fix) {
        findings.problem(Problem.SourcePosition.NO_LINE, KeyPath.ROOT, fault, fix);
        return Optional.empty();
    }
}
