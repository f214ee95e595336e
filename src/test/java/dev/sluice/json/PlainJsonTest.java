package dev.sluice.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the quick reader accepts is what Jackson reads there, and ordinary texts are accepted. */
class PlainJsonTest {

    private static final String POD = """
            {
                "kind": "Pod", "apiVersion" : "v1",
                "metadata": {"name": "a-b", "labels": {"x/y": "z", "": "", "\\u00fc\\"": "q\\\\\\/\\b\\f\\n\\r\\t"}},
                "spec": {"a": [], "b": {}, "c": [1, -0, 0, 10, -7, 123456789012345678, 12345678901234567890123],
                    "skip": {"deep": [[{"e": [null, true, false]}], "]}"], "f:": {"k:{\\"name\\":\\"x\\"}": {".": {}}}},
                    "d": [1.5, 0.10, -2.50], "skip2": ["\\u0041"], "é": "größer \\u20ac ü 😀"}\t\r
            }""";

    private static final List<String> SCRAPS = List.of(
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u12", "\\ud83d", "\n", "\t", " ", "0", "01", "-", ".", "e",
            "1.", "tru", "truex", "null", "NaN", "'", "/*", "\u0000", "\u0001", "\u007f", "é", "x", "\"a\":1", ",,",
            "{}", "[]");

    /** All that a reader learns, without the values of fields whose name begins with {@code skip}. */
    private static List<String> heard(JsonTokens tokens) throws IOException {
        List<String> heard = new ArrayList<>();
        value(tokens, tokens.next(), heard);
        return heard;
    }

    private static void value(JsonTokens tokens, JsonToken token, List<String> heard) throws IOException {
        assertThat(tokens.current()).isEqualTo(token);
        switch (token) {
            case START_OBJECT -> {
                heard.add("{");
                for (String name = tokens.nextName(); name != null; name = tokens.nextName()) {
                    heard.add(name);
                    JsonToken next = tokens.next();
                    if (name.startsWith("skip")) {
                        tokens.skip();
                        heard.add(tokens.current().toString());
                    } else {
                        value(tokens, next, heard);
                    }
                }
                heard.add("}");
            }
            case START_ARRAY -> {
                heard.add("[");
                for (JsonToken next = tokens.next(); next != JsonToken.END_ARRAY; next = tokens.next()) {
                    value(tokens, next, heard);
                }
                heard.add("]");
            }
            case VALUE_NUMBER_INT -> heard.add(tokens.text() + " " + tokens.integer());
            case VALUE_NUMBER_FLOAT -> heard.add(tokens.text() + " " + tokens.decimal());
            default -> heard.add(token + " " + tokens.text());
        }
    }

    private static List<String> quickly(byte[] text) throws IOException {
        // What stands around the object is no part of it.
        byte[] around =
                ("]}\"" + new String(text, StandardCharsets.ISO_8859_1) + "\"}]").getBytes(StandardCharsets.ISO_8859_1);
        PlainJson json = new PlainJson(around, 3, around.length - 3, new FieldNames());
        List<String> heard = heard(json);
        json.end();
        return heard;
    }

    private static List<String> byJackson(byte[] text) throws IOException {
        InputStreamReader letters =
                new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8.newDecoder());
        try (JsonParser parser = Parsers.json(letters)) {
            List<String> heard = heard(JsonTokens.of(parser));
            assertThat(parser.nextToken()).isNull();
            return heard;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void hearsOfAnObjectWhatJacksonHears() throws IOException {
        assertThat(quickly(utf8(POD))).isEqualTo(byJackson(utf8(POD))).contains("VALUE_STRING a-b", "é");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void acceptsNothingThatJacksonReadsOtherwise(long seed) throws IOException {
        Random random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] text = spoiled(random);
            List<String> heard;
            try {
                heard = quickly(text);
            } catch (PlainJson.NotPlain left) {
                continue;
            }
            accepted++;
            assertThat(heard).as(new String(text, StandardCharsets.UTF_8)).isEqualTo(byJackson(text));
        }
        assertThat(accepted).isBetween(300, 2_700);
    }

    private static byte[] spoiled(Random random) {
        StringBuilder text = new StringBuilder(POD);
        int at = random.nextInt(text.length());
        String scrap = SCRAPS.get(random.nextInt(SCRAPS.size()));
        switch (random.nextInt(4)) {
            case 0 -> text.insert(at, scrap);
            case 1 -> text.replace(at, Math.min(text.length(), at + scrap.length()), scrap);
            case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
            default -> {
                byte[] bytes = utf8(POD);
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                return bytes;
            }
        }
        return utf8(text.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 10_000})
    void leavesDeepNestingToOthers(int levels) throws IOException {
        byte[] text = utf8("{\"a\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + (levels == 1 ? "1}" : "}"));
        if (levels <= 64) {
            assertThat(quickly(text)).isEqualTo(byJackson(text));
        } else {
            assertThatThrownBy(() -> quickly(text)).isInstanceOf(PlainJson.NotPlain.class);
        }
    }

    @Test
    void leavesWhatIsShortenedElsewhereToOthers() {
        String longText = "x".repeat(ShortenedJson.LONGEST_STRING);
        assertThatThrownBy(() -> quickly(utf8("{\"a\":\"" + longText + "\"}"))).isInstanceOf(PlainJson.NotPlain.class);
        assertThatThrownBy(() -> quickly(utf8("{\"a\":" + "7".repeat(101) + "}")))
                .isInstanceOf(PlainJson.NotPlain.class);
    }

    @Test
    void wantsTheTextToBeOneObjectInUtf8() {
        for (byte[] text : List.of(
                utf8("{} {}"),
                utf8("{\"a\":1e5}"),
                utf8("{\"a\":\"\\ud83d\\ude00\"}"),
                utf8("{\"a\":1"),
                utf8(""),
                utf8("{\"a\":\"x"),
                utf8("{\"a\":\"x\\"),
                "{\"a\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1),
                Arrays.copyOf(utf8("{\"a\":\"ü\"}"), 7))) {
            assertThatThrownBy(() -> quickly(text)).isInstanceOf(PlainJson.NotPlain.class);
        }
    }
}
