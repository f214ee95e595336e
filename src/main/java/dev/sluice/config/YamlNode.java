package dev.sluice.config;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;

/** A node of a YAML or JSON document, with the line on which it begins. */
sealed interface YamlNode {

    int line();

    /** Returns the value as messages show it: short, and on one line. */
    String shown();

    /** Returns the text if the value is a scalar of this kind; empty otherwise. */
    default Optional<String> text(Scalar.Kind kind) {
        return this instanceof Scalar scalar && scalar.kind() == kind ? Optional.of(scalar.text()) : Optional.empty();
    }

    /** A mapping whose keys are distinct. */
    record Mapping(int line, List<Entry> entries) implements YamlNode {
        @Override
        public String shown() {
            return "a map";
        }
    }

    /** A key with its value. Problems with the value are reported at the line of the key. */
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
            StringBuilder line = new StringBuilder();
            ShortText.quoted(text, LONGEST_SHOWN).codePoints().forEach(c -> append(c, line));
            return kind == Kind.TEXT ? '"' + line.toString() + '"' : line.toString();
        }

        /** Appends a character as it is written between double quotes. */
        private static void append(int c, StringBuilder line) {
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\\' -> line.append("\\\\");
                default ->
                    line.append(
                            SafeText.isSafe(c)
                                    ? Character.toString(c)
                                    : (c <= 0xffff ? "\\u%04x" : "\\U%08x").formatted(c));
            }
        }
    }

    /** A value {@code null}, {@code ~} or no value. All of them mean that the default applies. */
    record Null(int line) implements YamlNode {
        @Override
        public String shown() {
            return "null";
        }
    }

    /** A value that was already reported as a problem while the document was read. */
    record Reported(int line) implements YamlNode {
        @Override
        public String shown() {
            return "unreadable";
        }
    }
}
