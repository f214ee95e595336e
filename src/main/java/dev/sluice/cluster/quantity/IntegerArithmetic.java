package dev.sluice.cluster.quantity;

import java.util.OptionalLong;

/** Parses integers in labels and taints in the same way as Go. */
public final class IntegerArithmetic {

    private IntegerArithmetic() {}

    /** Parses like {@code strconv.ParseInt(text, 10, 64)}: an optional sign and ASCII digits. */
    public static OptionalLong parse(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean sign = i == 0 && (c == '+' || c == '-');
            if (!sign && (c < '0' || c > '9')) {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException outOfRangeOrEmpty) {
            return OptionalLong.empty();
        }
    }

    /** Parses like {@link #parse}, but rejects a plus sign and leading zeros ({@code content.IsDecimalInteger}). */
    public static OptionalLong canonical(String text) {
        OptionalLong number = parse(text);
        return number.isPresent() && Long.toString(number.getAsLong()).equals(text) ? number : OptionalLong.empty();
    }
}
