package dev.sluice.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node of a YAML or JSON document, with the line on which it begins. */
sealed interface YamlNode {

    int line();

    /** The value as messages show it: short, on one line. */
    String shown();

    /** The text of a scalar of this kind; empty for every other value. */
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

    /** A key with its value. Problems of the value are reported at the line of the key. */
    record Entry(int line, String key, YamlNode value) {}

    record Items(int line, List<YamlNode> nodes) implements YamlNode {
        @Override
        public String shown() {
            return "a list";
        }
    }

    record Scalar(int line, Kind kind, String text) implements YamlNode {

        private static final int LONGEST_SHOWN = 80;

        /** What ends a line, steers a terminal, is not seen or begins an escape. */
        private static final Pattern ESCAPED =
                Pattern.compile("[\\\\\\p{Cntrl}\\x{80}-\\x{9f}\\p{Cf}\\x{2028}\\x{2029}]");

        public enum Kind {
            TEXT,
            NUMBER,
            BOOLEAN
        }

        @Override
        public String shown() {
            String line = ESCAPED.matcher(cut()).replaceAll(it -> Matcher.quoteReplacement(escaped(it.group())));
            return kind == Kind.TEXT ? '"' + line + '"' : line;
        }

        /** Never between the halves of a letter beyond U+FFFF. */
        private String cut() {
            if (text.length() <= LONGEST_SHOWN) {
                return text;
            }
            int end = Character.isHighSurrogate(text.charAt(LONGEST_SHOWN - 1)) ? LONGEST_SHOWN - 1 : LONGEST_SHOWN;
            return text.substring(0, end) + "…";
        }

        /** As it is written between double quotes. */
        private static String escaped(String letter) {
            int code = letter.codePointAt(0);
            return switch (code) {
                case '\n' -> "\\n";
                case '\\' -> "\\\\";
                default -> (code <= 0xffff ? "\\u%04x" : "\\U%08x").formatted(code);
            };
        }
    }

    /** {@code null}, {@code ~} or an empty value, all of which mean the default. */
    record Null(int line) implements YamlNode {
        @Override
        public String shown() {
            return "null";
        }
    }

    /** A value that was reported as a problem while the document was read. */
    record Reported(int line) implements YamlNode {
        @Override
        public String shown() {
            return "unreadable";
        }
    }
}
