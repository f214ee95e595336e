package dev.sluice.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.fuzz.Frugal;
import dev.sluice.json.PlainJson.NotPlain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is plain has the tokens that Jackson finds, and is one valid text; first byte says what is skipped. */
public final class PlainJsonFuzz {

    /** They stand around the text: whoever reads beyond it finds what would go on. */
    private static final byte[] BEFORE = "{\"a\":[\"".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] AFTER = "0e\"]}".getBytes(StandardCharsets.US_ASCII);

    /** Shared by all texts, as the items of a List share theirs. */
    private static final FieldNames NAMES = new FieldNames();

    private PlainJsonFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] text = Arrays.copyOfRange(input, 1, input.length);
        Frugal.run(input.length, () -> {
            Optional<List<String>> plain = plainly(text, input[0]);
            if (plain.isPresent() && !plain.get().equals(byJackson(text, input[0]))) {
                throw new AssertionError("plain: " + plain.get() + "; Jackson: " + byJackson(text, input[0]));
            }
        });
    }

    /** Empty where the text is not plain. */
    private static Optional<List<String>> plainly(byte[] text, byte choice) throws IOException {
        byte[] within = Arrays.copyOf(BEFORE, BEFORE.length + text.length + AFTER.length);
        int end = BEFORE.length + text.length;
        System.arraycopy(text, 0, within, BEFORE.length, text.length);
        System.arraycopy(AFTER, 0, within, end, AFTER.length);
        try {
            PlainJson json = new PlainJson(within, BEFORE.length, end, NAMES);
            List<String> steps = walked(json, choice);
            json.end();
            return Optional.of(steps);
        } catch (NotPlain left) {
            return Optional.empty();
        }
    }

    private static List<String> byJackson(byte[] text, byte choice) throws IOException {
        Reader characters = new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8.newDecoder());
        try (JsonParser parser = Parsers.json(characters)) {
            List<String> steps = walked(JsonTokens.of(parser), choice);
            if (parser.nextToken() != null) {
                steps.add("more");
            }
            return steps;
        } catch (JsonProcessingException | CharacterCodingException broken) {
            return List.of("broken: " + broken);
        }
    }

    /** Each token of one value, some of whose parts are skipped. */
    private static List<String> walked(JsonTokens tokens, byte choice) throws IOException {
        List<String> steps = new ArrayList<>();
        int depth = 0;
        int opened = 0;
        JsonToken token = tokens.next();
        while (token != null) {
            steps.add(step(token, tokens));
            if (token.isStructStart()) {
                opened++;
                depth++;
                if ((choice >> (opened & 7) & 1) == 1) {
                    tokens.skip();
                    token = tokens.current();
                    steps.add("skipped to " + token);
                }
            }
            depth -= token.isStructEnd() ? 1 : 0;
            if (depth == 0) {
                return steps;
            }
            token = next(token, tokens);
        }
        steps.add("cut short");
        return steps;
    }

    /** Names are asked for as readers of objects ask for them. */
    private static JsonToken next(JsonToken before, JsonTokens tokens) throws IOException {
        if (before != JsonToken.START_OBJECT) {
            return tokens.next();
        }
        String name = tokens.nextName();
        JsonToken token = tokens.current();
        if ((name != null) != (token == JsonToken.FIELD_NAME) || (name != null && !name.equals(tokens.text()))) {
            throw new AssertionError("the name " + name + " is given for " + token + " " + tokens.text());
        }
        return token;
    }

    private static String step(JsonToken token, JsonTokens tokens) throws IOException {
        String text = token + " " + tokens.text();
        return switch (token) {
            case VALUE_NUMBER_INT -> text + " " + tokens.integer();
            case VALUE_NUMBER_FLOAT -> text + " " + tokens.decimal();
            default -> text;
        };
    }
}
