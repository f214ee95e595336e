package dev.sluice.cluster.quantity;

import java.util.Map;
import java.util.Optional;

/**
 * The suffix of a quantity. It stands for a power of two ({@code Ki} to {@code Ei}) or for a power of ten ({@code n} to
 * {@code E}, or an exponent such as {@code e3}).
 *
 * <p>The rules are those of apimachinery {@code resource/suffix.go}. {@code E} alone stands for 10<sup>18</sup>.
 * {@code E3} is an exponent and stands for 10<sup>3</sup>.
 */
record QuantitySuffix(Format format, int exponent) {

    enum Format {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    static final QuantitySuffix NONE = new QuantitySuffix(Format.DECIMAL, 0);

    private static final Map<String, QuantitySuffix> BY_TEXT = Map.ofEntries(
            Map.entry("", NONE),
            decimal("n", -9),
            decimal("u", -6),
            decimal("m", -3),
            decimal("k", 3),
            decimal("M", 6),
            decimal("G", 9),
            decimal("T", 12),
            decimal("P", 15),
            decimal("E", 18),
            binary("Ki", 10),
            binary("Mi", 20),
            binary("Gi", 30),
            binary("Ti", 40),
            binary("Pi", 50),
            binary("Ei", 60));

    private static final String[] DECIMALS = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    private static final String[] BINARIES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

    private static Map.Entry<String, QuantitySuffix> decimal(String text, int exponent) {
        return Map.entry(text, new QuantitySuffix(Format.DECIMAL, exponent));
    }

    private static Map.Entry<String, QuantitySuffix> binary(String text, int exponent) {
        return Map.entry(text, new QuantitySuffix(Format.BINARY, exponent));
    }

    static Optional<QuantitySuffix> parse(String text) {
        QuantitySuffix known = BY_TEXT.get(text);
        if (known != null) {
            return Optional.of(known);
        }
        if (text.length() < 2 || Character.toLowerCase(text.charAt(0)) != 'e') {
            return Optional.empty();
        }
        try {
            // Converts the exponent to 32 bits even if it does not fit, because the API server does the same.
            return Optional.of(new QuantitySuffix(Format.EXPONENT, (int) Long.parseLong(text.substring(1))));
        } catch (NumberFormatException notAnExponent) {
            return Optional.empty();
        }
    }

    /** Returns the suffix for 10<sup>exponent</sup>. The exponent is a multiple of 3 from −9 to 18. */
    static String ofDecimal(int exponent) {
        return DECIMALS[exponent / 3 + 3];
    }

    /** Returns the suffix for 1024<sup>power</sup>. The power is a number from 0 to 6. */
    static String ofBinary(int power) {
        return BINARIES[power];
    }
}
