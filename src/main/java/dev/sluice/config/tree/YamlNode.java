package dev.sluice.config.tree;

import java.util.List;
import java.util.Optional;

/** What stands in a YAML document, with the line it starts on. */
public sealed interface YamlNode {

    int line();

    /** The value as messages show it: short, on one line. */
    String shown();

    /** The text of a scalar of this kind; empty for every other value. */
    default Optional<String> text(Scalar.Kind kind) {
        return this instanceof Scalar scalar && scalar.kind() == kind ? Optional.of(scalar.text()) : Optional.empty();
    }

    /** Keys are distinct. */
    record Mapping(int line, List<Entry> entries) implements YamlNode {
        @Override
        public String shown() {
            return "a map";
        }
    }

    /** One key with its value; a value given over several lines is reported at its key. */
    record Entry(int line, String key, YamlNode value) {}

    record Items(int line, List<YamlNode> nodes) implements YamlNode {
        @Override
        public String shown() {
            return "a list";
        }
    }

    record Scalar(int line, Kind kind, String text) implements YamlNode {

        private static final int LONGEST_SHOWN = 80;

        public enum Kind {
            TEXT,
            NUMBER,
            BOOLEAN
        }

        @Override
        public String shown() {
            String line = text.replaceAll("\\s+", " ");
            String cut = line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "…";
            return kind == Kind.TEXT ? '"' + cut + '"' : cut;
        }
    }

    /** {@code null}, {@code ~} or nothing: the default holds. */
    record Null(int line) implements YamlNode {
        @Override
        public String shown() {
            return "null";
        }
    }

    /** Already reported while the document was read; nothing more is said about it. */
    record Reported(int line) implements YamlNode {
        @Override
        public String shown() {
            return "unreadable";
        }
    }
}
