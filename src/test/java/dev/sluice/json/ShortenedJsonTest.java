package dev.sluice.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortenedJsonTest {

    private static final int LONGEST = ShortenedJson.LONGEST_STRING;

    /** What comes out when it is read in pieces of any size. */
    private static String read(String json, Random random) throws IOException {
        StringBuilder read = new StringBuilder();
        char[] buffer = new char[10_000];
        try (Reader reader = new ShortenedJson(new StringReader(json))) {
            int offset = random.nextInt(100);
            int count = reader.read(buffer, offset, 1 + random.nextInt(9_000));
            while (count >= 0) {
                assertThat(count).isPositive();
                read.append(buffer, offset, count);
                offset = random.nextInt(100);
                count = reader.read(buffer, offset, 1 + random.nextInt(9_000));
            }
        }
        return read.toString();
    }

    private static void assertShortened(String json, String expected) throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            assertThat(read(json, new Random(seed)).equals(expected))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"a\":[1,2.5e-3,true,null,\"x\\\"y\\\\\",\"\\u00e9\"],\"\":{}}",
                "{\"a\\\\\":\"b\\\\\\\"\"}",
                "\"unfinished",
                "{\"a\":\"\\",
                "not json at all ' } ] ,"
            })
    void leavesAloneWhatIsNotLong(String json) throws Exception {
        assertShortened(json, json);
    }

    @Test
    void cutsOffTheRestOfAStringAndOfAName() throws Exception {
        String exact = "x".repeat(LONGEST);
        assertShortened(
                "{\"" + exact + "\":\"" + exact + "\",\"a\":1}", "{\"" + exact + "\":\"" + exact + "\",\"a\":1}");
        assertShortened(
                "{\"" + exact + "yyy\":\"" + exact + "zzz\",\"a\":\"b\"}",
                "{\"" + exact + "\":\"" + exact + "\",\"a\":\"b\"}");
    }

    @Test
    void cutsOffTheRestOfANumber() throws Exception {
        assertShortened("[" + "7".repeat(5_000) + ",7]", "[" + "7".repeat(2_000) + ",7]");
        assertShortened("[" + "7".repeat(2_000) + ",7]", "[" + "7".repeat(2_000) + ",7]");
    }

    /** A parser must still find what is illegal, and the end of the string where it is. */
    @Test
    void keepsEscapesAndControlCharacters() throws Exception {
        String exact = "x".repeat(LONGEST);
        assertShortened("[\"" + exact + "y\\\"z\\\\\",1]", "[\"" + exact + "\\\"\\\\\",1]");
        assertShortened("[\"" + exact + "y\nz\",1]", "[\"" + exact + "\n\",1]");
        assertShortened("[\"" + exact + "y\\u00e9z\\ud83d\\ude00\",1]", "[\"" + exact + "\\u00e9\\ud83d\\ude00\",1]");
        assertShortened("[\"" + "\\n".repeat(LONGEST) + "x\",1]", "[\"" + "\\n".repeat(LONGEST) + "\",1]");
    }
}
