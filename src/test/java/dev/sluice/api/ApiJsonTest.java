package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApiJsonTest {

    private static final ObjectMapper READER = new ObjectMapper();

    /** Every character that a Java text can hold, halves of surrogate pairs among them. */
    private static final String ALL = IntStream.rangeClosed(Character.MIN_VALUE, Character.MAX_VALUE)
            .collect(StringBuilder::new, (text, c) -> text.append((char) c), StringBuilder::append)
            .toString();

    @Test
    void whatSteersATerminalIsEscapedAndNothingIsLost() throws Exception {
        String json = ApiJson.text(List.of(ALL));

        assertThat(json.chars())
                .noneMatch(c -> List.of(
                                Character.CONTROL,
                                Character.FORMAT,
                                Character.LINE_SEPARATOR,
                                Character.PARAGRAPH_SEPARATOR,
                                Character.SURROGATE)
                        .contains((byte) Character.getType(c)));
        assertThat(READER.readValue(json, String[].class)).containsExactly(ALL);
        assertThat(json)
                .contains("\\u001B", "\\u007F", "\\u009b", "\\u061c", "\\u200e", "\\u202e", "\\u2066", "\\u2028");
    }

    @Test
    void lettersOfAllScriptsStayReadable() {
        assertThat(ApiJson.text(List.of("größe 尺寸 размер …"))).isEqualTo("[\"größe 尺寸 размер …\"]");
    }

    @Test
    void severalLinesAreEscapedAlike() {
        StringWriter out = new StringWriter();

        ApiJson.print(List.of("\u001B[2J\u202E"), new PrintWriter(out));

        assertThat(out.toString()).isEqualTo("[ \"\\u001B[2J\\u202e\" ]" + System.lineSeparator());
    }
}
