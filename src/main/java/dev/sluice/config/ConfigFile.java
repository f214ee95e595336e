package dev.sluice.config;

import dev.sluice.config.tree.JsonTree;
import dev.sluice.config.tree.KeyPath;
import dev.sluice.config.tree.Problem;
import dev.sluice.config.tree.ProblemCollector;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The text of a configuration file, or a finding that says why there is none. */
public final class ConfigFile {

    /** How some editors begin UTF-8. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private ConfigFile() {}

    /** @param what the file is, for messages */
    static Optional<String> read(Path file, String what, ProblemCollector findings) {
        if (Files.isDirectory(file)) {
            return refuse(findings, "is a directory", "name the file in it");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(JsonTree.MOST_BYTES + 1);
            return bytes.length > JsonTree.MOST_BYTES
                    ? refuse(
                            findings,
                            "is larger than " + JsonTree.MOST_BYTES + " bytes, the most a ConfigMap holds",
                            "name " + what)
                    : decode(bytes, findings);
        } catch (NoSuchFileException _) {
            return refuse(findings, "does not exist", "create it or name another");
        } catch (AccessDeniedException _) {
            return refuse(findings, "may not be read by this user", "change its permissions");
        } catch (IOException failed) {
            return refuse(findings, "cannot be read (" + failed.getMessage() + ")", "name a readable file");
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
