package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiJson;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalPrinterTest {

    private final StringWriter printed = new StringWriter();
    private final TerminalPrinter out = new TerminalPrinter(printed);

    @Test
    void aLineStaysOneLineWhateverItHolds() {
        out.println("one\ntwo\u001B[2J");

        assertThat(printed.toString()).isEqualTo("one two\\u001b[2J" + System.lineSeparator());
    }

    @Test
    void aDocumentKeepsItsLines() {
        ApiJson.print(new Page("one\ntwo", List.of()), out);

        assertThat(printed.toString().lines())
                .containsExactly("{", "  \"title\" : \"one\\ntwo\",", "  \"lines\" : [ ]", "}");
    }

    private record Page(String title, List<String> lines) {}
}
