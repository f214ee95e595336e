package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Text that steers a terminal or forges a line where it is printed as it is. */
public final class HostileText {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The line that the text forges. It is in the output in any case, but never at the beginning of a line. */
    static final String FORGED = "FORGED: all pods run.";

    /** Erases the screen, sets the title, turns the direction, ends the line in each way, and hides. */
    public static final String HOSTILE =
            "\u001b[2J\u001b]0;title\u0007\u009b31m\u009d\u007f\u0000\b\u202e\u2066\u200f\u061c\u200b\u2060\ufeff\u00ad"
                    + "\udb40\udc41\ufe0f\u3164\ud800\r" + FORGED + "\n" + FORGED + "\r\n" + FORGED + "\u2028" + FORGED
                    + "\u2029" + FORGED + "\u0085" + FORGED + "\u000b\f" + FORGED;

    /** The same without half a character, which no file in UTF-8 can hold. */
    static final String LEGAL = HOSTILE.replace("\ud800", "");

    /** The same as a word of a command line and the name of a file, which cannot hold the character NUL. */
    static final String WORD = LEGAL.replace("\u0000", "");

    /**
     * Matches the paths of texts that the API server and the kubelet write, or that have to be legal, so that the
     * object is read at all.
     */
    static final Pattern WORDS_OF_THE_API =
            Pattern.compile(".*/(apiVersion|kind|phase|operator|effect|topologyKey|caBundle|status|type|[a-zA-Z]*Time"
                    + "|[a-zA-Z]*Timestamp|time|renewTime)|.*/(capacity|allocatable|requests|limits|hard|used)/.*");

    private static final Pattern UNSAFE =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Cn}\\ufe0f\\u3164&&[^\\n]]");

    private HostileText() {}

    /** Returns true if the output has the hostile text, with its characters escaped. */
    static boolean isShown(Cli run) {
        return (run.out() + run.err()).contains("[2J");
    }

    /** Returns a double-quoted scalar of YAML with this text. YAML takes no control character as it is. */
    static String yaml(String text) {
        StringBuilder scalar = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> scalar.append(
                        c >= ' ' && c <= '~' && c != '"' && c != '\\'
                                ? Character.toString(c)
                                : "\\U%08x".formatted(c)));
        return scalar.append('"').toString();
    }

    /** Returns the characters that steer a terminal or are not seen, as hexadecimal numbers. */
    public static List<String> unsafe(String output) {
        return UNSAFE.matcher(output)
                .results()
                .map(it -> Integer.toHexString(it.group().codePointAt(0)))
                .toList();
    }

    /** Fails if this output steers a terminal, hides something, or has a forged line. */
    public static void safe(String output) {
        assertThat(unsafe(output)).as(output).isEmpty();
        assertThat(output.lines()).noneMatch(line -> line.startsWith(FORGED));
    }

    /** Fails if this run has printed something that is not safe. */
    @CanIgnoreReturnValue
    public static Cli safe(Cli run) {
        safe(run.out());
        safe(run.err());
        return run;
    }

    /** The same tree with the text behind each string that its path lets through. */
    public static JsonNode hostile(JsonNode tree, String path, Pattern spared) {
        return appended(tree, path, spared, HOSTILE);
    }

    /** The same tree with this text behind each string that its path lets through. */
    public static JsonNode appended(JsonNode tree, String path, Pattern spared, String end) {
        return switch (tree) {
            case ObjectNode object -> {
                ObjectNode made = JSON.createObjectNode();
                object.properties()
                        .forEach(field -> made.set(
                                field.getKey(), appended(field.getValue(), path + "/" + field.getKey(), spared, end)));
                yield made;
            }
            case ArrayNode array -> {
                ArrayNode made = JSON.createArrayNode();
                array.forEach(item -> made.add(appended(item, path, spared, end)));
                yield made;
            }
            case TextNode text when !spared.matcher(path).matches() -> new TextNode(text.textValue() + end);
            default -> tree;
        };
    }

    /** The paths of all texts of the tree. */
    @CanIgnoreReturnValue
    public static Set<String> paths(JsonNode tree, String path, Set<String> found) {
        tree.properties().forEach(field -> paths(field.getValue(), path + "/" + field.getKey(), found));
        if (tree.isArray()) {
            tree.forEach(item -> paths(item, path, found));
        }
        if (tree.isTextual()) {
            found.add(path);
        }
        return found;
    }

    /** Puts an entry with a hostile key, and the value of another, into each object whose path this pattern matches. */
    static void addHostileKeys(JsonNode tree, String path, Pattern maps) {
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            addHostileKeys(field.getValue(), path + "/" + field.getKey(), maps);
        }
        if (tree.isArray()) {
            tree.forEach(item -> addHostileKeys(item, path, maps));
        }
        if (tree instanceof ObjectNode map
                && !map.isEmpty()
                && maps.matcher(path).matches()) {
            Iterator<Map.Entry<String, JsonNode>> entries = map.properties().iterator();
            Map.Entry<String, JsonNode> first = entries.next();
            map.set(first.getKey() + LEGAL, first.getValue());
            map.set("nvidia.com/x" + LEGAL, first.getValue());
        }
    }
}
