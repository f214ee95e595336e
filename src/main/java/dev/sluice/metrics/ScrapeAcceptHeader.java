package dev.sluice.metrics;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A header with the formats that a client accepts, such as {@code Accept} and {@code Accept-Encoding} (RFC 9110, 12.5).
 *
 * @param text the value of the header; null if the client sent none
 */
public record ScrapeAcceptHeader(@Nullable String text) {

    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern SEMICOLON = Pattern.compile(";");
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    /**
     * Returns the weight of the first of the given names that the header contains; 0 if it contains none. The caller
     * passes the most specific name first, for example {@code text/plain} before {@code text/*}.
     */
    public double weight(String... names) {
        return Stream.of(names)
                .flatMapToDouble(name -> greatest(name).stream())
                .findFirst()
                .orElse(0);
    }

    /** Returns the greatest weight that the header gives to this name; empty if the header does not contain it. */
    private OptionalDouble greatest(String name) {
        return text == null
                ? OptionalDouble.empty()
                : COMMA.splitAsStream(text.toLowerCase(Locale.ROOT))
                        .map(SEMICOLON::split)
                        .filter(parts -> parts[0].strip().equals(name))
                        .mapToDouble(ScrapeAcceptHeader::ofEntry)
                        .max();
    }

    /** Returns the weight of one entry: 1 if none is given, and 0 if it is not valid. */
    private static double ofEntry(String[] parts) {
        return Stream.of(parts)
                .skip(1)
                .map(String::strip)
                .filter(parameter -> parameter.startsWith("q="))
                .mapToDouble(parameter ->
                        WEIGHT.matcher(parameter).matches() ? Double.parseDouble(parameter.substring(2)) : 0)
                .findFirst()
                .orElse(1);
    }
}
