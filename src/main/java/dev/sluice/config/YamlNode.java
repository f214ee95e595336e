package dev.sluice.config;

import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;

/** A node in the tree of a YAML or JSON document, with the position at which the node begins. */
sealed interface YamlNode {

    SourcePosition position();

    /** Returns a short form of the value on one line, for messages. */
    String shown();

    /** Returns the text of the value if it is a scalar of this kind. Returns empty otherwise. */
    default Optional<String> text(Scalar.Kind kind) {
        return this instanceof Scalar scalar && scalar.kind() == kind ? Optional.of(scalar.text()) : Optional.empty();
    }

    /** A mapping whose keys are distinct. */
    record Mapping(SourcePosition position, List<Entry> entries) implements YamlNode {
        @Override
        public String shown() {
            return "a map";
        }
    }

    /** A key of a mapping with its value. Problems with the value are reported at the position of the key. */
    record Entry(SourcePosition position, String key, YamlNode value) {}

    record Items(SourcePosition position, List<YamlNode> nodes) implements YamlNode {
        @Override
        public String shown() {
            return "a list";
        }
    }

    record Scalar(SourcePosition position, Kind kind, String text) implements YamlNode {

        private static final int LONGEST_SHOWN = 80;

        enum Kind {
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

        /** Appends a character in the form in which YAML writes it between double quotes. */
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

    /** The value {@code null}, {@code ~}, or a missing value. All of them mean that the default applies. */
    record Null(SourcePosition position) implements YamlNode {
        @Override
        public String shown() {
            return "null";
        }
    }

    /** A value that was reported as a problem while the document was read. It must not be reported again. */
    record Reported(SourcePosition position) implements YamlNode {
        @Override
        public String shown() {
            return "unreadable";
        }
    }
}
