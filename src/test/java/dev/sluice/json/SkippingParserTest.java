package dev.sluice.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser that skips by itself is held against Jackson's, by what a reader could ever notice. */
class SkippingParserTest {

    private static final int DEEPEST = 80;

    private static final JsonFactory JACKSON = builder().build();
    private static final JsonFactory OURS = new SkippingParser.Factory(limits());

    private static final List<String> SCRAPS = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "\\ud83d",
            "\\u00e9",
            "\\uDE00",
            "\n",
            "\r\n",
            "\t",
            " ",
            "0",
            "01",
            "-",
            "1.5",
            "1.",
            "1e5",
            "1E+",
            "-0",
            "+1",
            ".5",
            "true",
            "tru",
            "truex",
            "null",
            "nul",
            "false",
            "NaN",
            "'",
            "/*",
            "//",
            "\u0000",
            "\u0001",
            "\u007f",
            "\u00e9",
            "\ud83d\ude00",
            "x",
            "\"a\":1",
            ",,",
            "{}",
            "[]");

    private static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(limits());
    }

    private static StreamReadConstraints limits() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(1000)
                .build();
    }

    /** Everything that comes out of a text when each container below {@code depth} is skipped. */
    private static List<String> heard(JsonFactory factory, String text, int depth) {
        List<String> heard = new ArrayList<>();
        // As in the buffer of the decoder, what stood there before goes on behind the end.
        char[] chars = (text + "}]}]}]\"}]}").toCharArray();
        try (JsonParser parser = factory.createParser(chars, 0, text.length())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                heard.add(token + " " + parser.currentName());
                if (token.isStructStart() && parser.getParsingContext().getNestingDepth() > depth) {
                    JsonParser same = parser.skipChildren();
                    heard.add(same.currentToken() + " "
                            + parser.getParsingContext().pathAsPointer() + " "
                            + parser.currentLocation().offsetDescription());
                }
            }
        } catch (JsonProcessingException broken) {
            heard.add(broken.getClass().getSimpleName() + " " + broken.getMessage());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return heard;
    }

    private static void assertHeardAlike(String text) {
        for (int depth = 0; depth < 4; depth++) {
            assertThat(heard(OURS, text, depth))
                    .as("depth %d of %s", depth, text)
                    .isEqualTo(heard(JACKSON, text, depth));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void hearsOfLegalTextsWhatJacksonHears(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            assertHeardAlike(document(random));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void hearsOfBrokenTextsWhatJacksonHears(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            StringBuilder text = new StringBuilder(document(random));
            for (int mistakes = random.nextInt(3); mistakes >= 0; mistakes--) {
                spoil(text, random);
            }
            assertHeardAlike(text.toString());
        }
    }

    private static void spoil(StringBuilder text, Random random) {
        int at = random.nextInt(text.length() + 1);
        String scrap = SCRAPS.get(random.nextInt(SCRAPS.size()));
        switch (random.nextInt(4)) {
            case 0 -> text.insert(at, scrap);
            case 1 -> text.replace(at, Math.min(text.length(), at + scrap.length()), scrap);
            case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
            default -> text.setLength(Math.max(1, at));
        }
    }

    @ParameterizedTest(name = "{0} levels")
    @ValueSource(ints = {1, 60, 63, 64, 65, 66, 78, 79, 80, 81, 82, 200})
    void stopsAtTheSameDepth(int levels) {
        for (String[] brackets : new String[][] {{"[", "]"}, {"{\"a\":", "}"}, {"[{\"a\":", "}]"}}) {
            int repeated = brackets[0].length() > 5 ? levels / 2 : levels;
            String nested = brackets[0].repeat(repeated) + "1" + brackets[1].repeat(repeated);
            assertHeardAlike(nested);
            assertHeardAlike("{\"x\":" + nested + ",\"y\":[2]}");
            assertHeardAlike(nested.substring(0, nested.length() - 1));
        }
    }

    @ParameterizedTest(name = "{0} digits")
    @ValueSource(ints = {1, 98, 99, 100, 101, 999, 1000, 1001, 3000})
    void stopsAtTheSameLengthOfNumbers(int digits) {
        String number = "7".repeat(digits);
        for (String text : List.of(number, "-" + number, number + ".5", "0." + number, "1e" + number, "0" + number)) {
            assertHeardAlike("{\"a\":[" + text + "],\"b\":{\"c\":" + text + "}}");
        }
    }

    @Test
    void countsLinesAsJacksonDoes() {
        assertHeardAlike("{\n \"a\": {\n\"b\": [1,\r\n2]\r}\n,\n\"c\": [tru]}");
        assertHeardAlike("{\"a\":{\"b\":[1,2]},\n\"c\":{\"d\":[3]},\"e\":[4}\n}");
    }

    @Test
    void textsShareTheirNames() throws IOException {
        JsonFactory factory = new SkippingParser.Factory(limits());
        assertThat(firstName(factory, "{\"schedulerName\":1}")).isSameAs(firstName(factory, "{\"schedulerName\":2}"));
    }

    @Test
    void namesThatAuthorsMakeUpAreForgotten() throws IOException {
        SkippingParser.Factory factory = new SkippingParser.Factory(limits());
        String known = firstName(factory, "{\"schedulerName\":1}");
        for (int i = 0; i < 10_000; i++) {
            assertThat(firstName(factory, "{\"made-up-" + i + "\":1}")).isEqualTo("made-up-" + i);
        }
        assertThat(factory.names()).isEqualTo(SkippingParser.MOST_NAMES);
        assertThat(firstName(factory, "{\"schedulerName\":1}")).isSameAs(known);
    }

    @Test
    void aLongNameIsForgotten() throws IOException {
        SkippingParser.Factory factory = new SkippingParser.Factory(limits());
        String name = "n".repeat(SkippingParser.LONGEST_SHARED);
        assertThat(firstName(factory, "{\"" + name + "\":1}")).isEqualTo(name);
        assertThat(factory.names()).isZero();
    }

    private static String firstName(JsonFactory factory, String text) throws IOException {
        try (JsonParser parser = factory.createParser(text.toCharArray())) {
            parser.nextToken();
            return parser.nextFieldName();
        }
    }

    private static String document(Random random) {
        StringBuilder text = new StringBuilder();
        write(text, random, 1 + random.nextInt(5));
        return text.toString();
    }

    private static void write(StringBuilder text, Random random, int depth) {
        switch (depth == 0 ? 2 + random.nextInt(5) : random.nextInt(7)) {
            case 0 -> object(text, random, depth - 1);
            case 1 -> array(text, random, depth - 1);
            case 2 -> text.append(List.of("true", "false", "null").get(random.nextInt(3)));
            case 3 -> text.append(random.nextInt(2000) - 1000);
            case 4 -> text.append(random.nextGaussian() * Math.pow(10, random.nextInt(12) - 3));
            default -> string(text, random);
        }
    }

    private static void object(StringBuilder text, Random random, int depth) {
        text.append('{');
        for (int members = random.nextInt(5); members > 0; members--) {
            string(blank(text, random), random);
            blank(text, random).append(':');
            write(blank(text, random), random, depth);
            blank(text, random).append(members > 1 ? "," : "");
        }
        blank(text, random).append('}');
    }

    private static void array(StringBuilder text, Random random, int depth) {
        text.append('[');
        for (int elements = random.nextInt(5); elements > 0; elements--) {
            write(blank(text, random), random, depth);
            blank(text, random).append(elements > 1 ? "," : "");
        }
        blank(text, random).append(']');
    }

    private static StringBuilder blank(StringBuilder text, Random random) {
        return text.append(List.of("", "", "", "", "", " ", "  ", "\t", "", "", "", "\n", "\r\n", "\r")
                .get(random.nextInt(random.nextInt(4) == 0 ? 14 : 11)));
    }

    private static void string(StringBuilder text, Random random) {
        List<String> pieces = List.of(
                "f:metadata",
                "k:{",
                "\\\"",
                "\\\\",
                "\\/",
                "\\n",
                "\\u0041",
                "\\u00e9",
                "\\ud83d\\ude00",
                "\u00e9",
                "\ud83d\ude00",
                "\u007f",
                "}",
                "]",
                ",",
                "//",
                "'",
                " ",
                "",
                "name");
        text.append('"');
        for (int left = random.nextInt(4); left > 0; left--) {
            text.append(pieces.get(random.nextInt(pieces.size())));
        }
        text.append('"');
    }
}
