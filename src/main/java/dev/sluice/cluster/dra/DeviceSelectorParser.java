package dev.sluice.cluster.dra;

import dev.sluice.cluster.dra.DeviceSelectorTerm.Called;
import dev.sluice.cluster.dra.DeviceSelectorTerm.Compared;
import dev.sluice.cluster.dra.DeviceSelectorTerm.Constant;
import dev.sluice.cluster.dra.DeviceSelectorTerm.Selected;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parses the part of CEL's grammar that selectors use. The length of an expression and the number of its terms are
 * limited.
 */
final class DeviceSelectorParser {

    /** The longest expression that the API server accepts ({@code CELSelectorExpressionMaxLength}). */
    private static final int LONGEST = 10 * 1024;

    /**
     * The maximum number of terms. Selectors of drivers have fewer than twenty terms. The limit also bounds the nesting
     * depth.
     */
    private static final int MOST_TERMS = 256;

    private static final Constant UNKNOWN = new Constant(DeviceSelectorValue.unknown());
    private static final Constant DEVICE = new Constant(new DeviceSelectorValue.WholeDevice());
    private static final Selected DRIVER = new Selected(DEVICE, words("driver"));
    private static final List<String> COMPARISONS = List.of("==", "!=", "<=", ">=", "<", ">");

    private final String text;
    private final Set<String> drivers = new HashSet<>();
    private int at;
    private int terms;

    DeviceSelectorParser(String text) {
        this.text = text;
    }

    /** Thrown if Sluice cannot parse the expression. It is caught in this class. */
    private static final class NotUnderstood extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotUnderstood() {
            super(null, null, false, false);
        }
    }

    boolean isTooLong() {
        return text.length() > LONGEST;
    }

    /** Returns the drivers with which the expression compares {@code device.driver}. */
    Set<String> drivers() {
        return drivers;
    }

    /** Returns the parsed expression. Returns empty if Sluice cannot parse it. */
    Optional<DeviceSelectorTerm> parse() {
        if (isTooLong()) {
            return Optional.empty();
        }
        try {
            DeviceSelectorTerm term = anyOf();
            return next() == '\0' && at >= text.length() ? Optional.of(term) : Optional.empty();
        } catch (NotUnderstood _) {
            return Optional.empty();
        }
    }

    private DeviceSelectorTerm anyOf() {
        List<DeviceSelectorTerm> parts = new ArrayList<>(List.of(allOf()));
        while (take("||")) {
            parts.add(allOf());
        }
        return parts.size() == 1 ? parts.getFirst() : new DeviceSelectorTerm.AnyOf(parts);
    }

    private DeviceSelectorTerm allOf() {
        List<DeviceSelectorTerm> parts = new ArrayList<>(List.of(comparison()));
        while (take("&&")) {
            parts.add(comparison());
        }
        return parts.size() == 1 ? parts.getFirst() : new DeviceSelectorTerm.AllOf(parts);
    }

    private DeviceSelectorTerm comparison() {
        DeviceSelectorTerm left = negation();
        for (String operator : COMPARISONS) {
            if (take(operator)) {
                return compared(left, operator, negation());
            }
        }
        return takeWord("in") ? compared(left, "in", negation()) : left;
    }

    private DeviceSelectorTerm compared(DeviceSelectorTerm left, String operator, DeviceSelectorTerm right) {
        boolean isEquality = operator.equals("==") || operator.equals("in");
        if (isEquality && left.equals(DRIVER)) {
            noteDrivers(right);
        } else if (isEquality && right.equals(DRIVER)) {
            noteDrivers(left);
        }
        return new Compared(left, operator, right);
    }

    private void noteDrivers(DeviceSelectorTerm told) {
        switch (told) {
            case Constant(DeviceSelectorValue.StringValue(String driver)) -> drivers.add(driver);
            case DeviceSelectorTerm.ListOf(List<DeviceSelectorTerm> parts) -> parts.forEach(this::noteDrivers);
            default -> {}
        }
    }

    private DeviceSelectorTerm negation() {
        count();
        if (next() == '!' && !text.startsWith("!=", at)) {
            at++;
            return new DeviceSelectorTerm.Negated(negation());
        }
        return member();
    }

    private DeviceSelectorTerm member() {
        DeviceSelectorTerm term = primary();
        while (true) {
            char next = next();
            if (next == '.') {
                at++;
                term = selected(term, identifier());
            } else if (next == '[') {
                at++;
                term = new Selected(term, anyOf());
                expect(']');
            } else {
                return term;
            }
            count();
        }
    }

    private DeviceSelectorTerm selected(DeviceSelectorTerm from, String name) {
        if (next() != '(') {
            return new Selected(from, words(name));
        }
        at++;
        List<DeviceSelectorTerm> arguments = new ArrayList<>(List.of(from));
        arguments.addAll(listUntil(')'));
        return new Called("." + name, arguments);
    }

    private DeviceSelectorTerm primary() {
        char next = next();
        if (next == '(') {
            at++;
            DeviceSelectorTerm inside = anyOf();
            expect(')');
            return inside;
        }
        if (next == '[') {
            at++;
            return new DeviceSelectorTerm.ListOf(listUntil(']'));
        }
        if (next == '"' || next == '\'') {
            return words(quoted());
        }
        return next == '-' || isDigit(next) ? number() : named(identifier());
    }

    private DeviceSelectorTerm named(String name) {
        if (next() == '(') {
            at++;
            List<DeviceSelectorTerm> arguments = listUntil(')');
            return name.equals("has") && arguments.size() == 1 && arguments.getFirst() instanceof Selected field
                    ? new DeviceSelectorTerm.Present(field)
                    : new Called(name, arguments);
        }
        return switch (name) {
            case "device" -> DEVICE;
            case "true" -> new Constant(DeviceSelectorValue.of(true));
            case "false" -> new Constant(DeviceSelectorValue.of(false));
            default -> UNKNOWN;
        };
    }

    private List<DeviceSelectorTerm> listUntil(char end) {
        List<DeviceSelectorTerm> parts = new ArrayList<>();
        while (next() != end) {
            parts.add(anyOf());
            if (next() != end) {
                expect(',');
            }
        }
        at++;
        return parts;
    }

    private DeviceSelectorTerm number() {
        int from = at;
        at++;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        boolean isWhole = at >= text.length() || (text.charAt(at) != '.' && !isLetter(text.charAt(at)));
        try {
            if (isWhole) {
                return new Constant(new DeviceSelectorValue.WholeNumber(Long.parseLong(text.substring(from, at))));
            }
        } catch (NumberFormatException _) {
            throw new NotUnderstood();
        }
        throw new NotUnderstood();
    }

    private String quoted() {
        char quote = text.charAt(at++);
        StringBuilder read = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            if (c == '\\') {
                c = at < text.length() ? text.charAt(at++) : '\0';
                if (c != '\\' && c != '"' && c != '\'') {
                    throw new NotUnderstood();
                }
            } else if (c == '\n' || c == '\r') {
                throw new NotUnderstood();
            }
            read.append(c);
        }
        expect(quote);
        return read.toString();
    }

    private String identifier() {
        if (!isLetter(next())) {
            throw new NotUnderstood();
        }
        int from = at;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        return text.substring(from, at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Skips white space and returns the next character. Returns {@code \0} at the end. */
    private char next() {
        skipSpace();
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean take(String token) {
        skipSpace();
        if (!text.startsWith(token, at)) {
            return false;
        }
        at += token.length();
        return true;
    }

    private boolean takeWord(String word) {
        skipSpace();
        int end = at + word.length();
        boolean found = text.startsWith(word, at)
                && (end >= text.length() || !(isLetter(text.charAt(end)) || isDigit(text.charAt(end))));
        at = found ? end : at;
        return found;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw new NotUnderstood();
        }
        at++;
    }

    private void count() {
        if (++terms > MOST_TERMS) {
            throw new NotUnderstood();
        }
    }

    private static Constant words(String text) {
        return new Constant(new DeviceSelectorValue.StringValue(text));
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
