package dev.sluice.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.sluice.cluster.ClusterStateException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Creates a parser for the output of kubectl, which is JSON or YAML, and describes errors in the text with their
 * position.
 */
public final class JsonOrYamlText {

    public static final int BUFFER = 64 * 1024;

    /** The byte order mark, which some editors write at the beginning of a UTF-8 file. */
    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    private static final Pattern UNKNOWN_WORD = Pattern.compile("Unrecognized token ('.*?'): was expecting .*");

    private JsonOrYamlText() {}

    /**
     * Returns a parser for JSON if the text begins with a brace, and for YAML otherwise. The stream must support
     * {@code mark} with {@link #BUFFER} bytes, because its beginning is read twice.
     */
    public static JsonParser parser(InputStream bytes) throws IOException, ClusterStateException {
        bytes.mark(BUFFER);
        int first = bytes.read();
        if (first == BYTE_ORDER_MARK[0]) {
            bytes.skipNBytes(BYTE_ORDER_MARK.length - 1);
            bytes.mark(BUFFER);
            first = bytes.read();
        }
        if (first == 0xFE || first == 0xFF) {
            throw new ClusterStateException(" is UTF-16, as PowerShell writes it; save it as UTF-8");
        }
        int looked = 1;
        while (looked < BUFFER && isBlank(first)) {
            first = bytes.read();
            looked++;
        }
        if (looked == BUFFER && isBlank(first)) {
            // Without this limit, the YAML parser would read gigabytes of blanks for minutes.
            throw new ClusterStateException(" begins with " + BUFFER / 1024 + " KiB of blanks");
        }
        bytes.reset();
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
        return first == '{' ? JsonParsers.json(text) : JsonParsers.yaml(text);
    }

    private static boolean isBlank(int octet) {
        return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n';
    }

    /** Reads a text. */
    public interface TextReading<E extends Exception> {
        void read() throws IOException, E;
    }

    /**
     * Runs {@code reading}, which reads with the parser. If the text exceeds a limit of the parser, this method adds
     * the position to the exception, because the parser does not.
     */
    public static <E extends Exception> void read(JsonParser parser, TextReading<E> reading) throws IOException, E {
        try {
            reading.read();
        } catch (StreamConstraintsException tooMuch) {
            throw tooMuch.getLocation() == null
                    ? new JsonParseException(parser, limit(tooMuch), parser.currentLocation(), tooMuch)
                    : tooMuch;
        }
    }

    /**
     * Returns the line of the first illegal control character in a text of UTF-8. The position in the exception of the
     * parser for YAML cannot be used, because it is relative to the parser's buffer.
     */
    public static int lineOfControlCharacter(byte[] text) {
        int line = 1;
        for (byte octet : text) {
            if (octet == '\n') {
                line++;
            } else if ((octet >= 0 && octet < ' ' && octet != '\t' && octet != '\r') || octet == 0x7f) {
                return line;
            }
        }
        return line;
    }

    /**
     * Returns the message of the exception without the name of the Jackson method at its end, which users do not need.
     */
    private static String limit(StreamConstraintsException tooMuch) {
        return tooMuch.getOriginalMessage().replaceFirst(", from `[^`]*`", "");
    }

    /**
     * Returns the end of an error message: where the text is invalid and why. The caller puts the name of the file
     * before it.
     *
     * @param hint a text that says how to create a valid file
     */
    public static String brokenAt(JacksonException broken, String hint) {
        JsonLocation at = broken.getLocation();
        String where = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
        return where + ": " + reason(broken) + "; " + hint;
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
            return limit(tooMuch);
        }
        String text =
                broken.getCause() instanceof MarkedYAMLException yaml ? yaml.getProblem() : broken.getOriginalMessage();
        return UNKNOWN_WORD
                .matcher(text.lines().findFirst().orElse("not readable"))
                .replaceFirst("the word $1 is no JSON");
    }
}
