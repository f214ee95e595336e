package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {

    @TempDir
    private Path directory;

    @Test
    void aMissingFileIsOneProblem() {
        Path file = directory.resolve("gateway.yaml");
        assertThat(ConfigLoader.load(file, Map.of()))
                .isInstanceOfSatisfying(
                        ConfigLoader.Loading.NotLoaded.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .hasToString(file + ": the file does not exist, create it or name another"));
    }

    @Test
    void aMissingFileDoesNotHideABadEnvironment() {
        assertThat(Loads.problems(ConfigLoader.load(directory.resolve("gateway.yaml"), Map.of("PORT", "x"))))
                .hasSize(2);
    }

    @Test
    void whatIsNotUtf8IsReportedAtItsLine() throws IOException {
        assertThat(Loads.problems(load("webhook:\n  host: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1))))
                .containsExactly("gateway.yaml:2: the file is not UTF-8 from here on, save it as UTF-8");
    }

    @Test
    void aCharacterCutAtTheEndIsNotUtf8() throws IOException {
        assertThat(Loads.problems(load(new byte[] {'#', (byte) 0xC3}))).hasSize(1);
    }

    @Test
    void aByteOrderMarkIsNoProblem() throws IOException {
        assertThat(Loads.loaded(load("\uFEFFwebhook: {port: 7}".getBytes(StandardCharsets.UTF_8)))
                        .config()
                        .webhook()
                        .port())
                .isEqualTo(7);
    }

    @Test
    void aFileLargerThanAConfigMapIsRefusedWithTheReason() throws IOException {
        assertThat(Loads.problems(load(comment(1_048_577))))
                .containsExactly("gateway.yaml: the file is larger than 1048576 bytes, the most a ConfigMap holds,"
                        + " name a gateway configuration");
        assertThat(Loads.loaded(load(comment(1_048_576))).config()).isEqualTo(GatewayConfig.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "webhook:\\n\\tport: 1 | 2 | 1 | found character '\\t(TAB)' that cannot start any token. | indent by spaces"
                        + " instead of tabs",
                "a: b: c | 1 | 5 | mapping values are not allowed here | check indentation, quotes and brackets there and above",
                "webhook:\\n  port: 1\\n host: a | 3 | 2 | expected <block end>, but found '<block mapping start>' | check"
                        + " indentation, quotes and brackets there and above",
                "a: 'x | 1 | 6 | found unexpected end of stream | check indentation, quotes and brackets there and above",
                "a: @x | 1 | 4 | found character '@' that cannot start any token. | check indentation, quotes and brackets"
                        + " there and above",
            })
    void brokenSyntaxIsReportedWithLineAndColumn(String yaml, int line, int column, String why, String fix) {
        assertThat(Loads.problems(Loads.text(yaml.replace("\\n", "\n").replace("\\t", "\t"))))
                .containsExactly("gateway.yaml:" + line + ": the file is no YAML from column " + column + " on (" + why
                        + "), " + fix);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500, 5000})
    void aControlCharacterIsReportedWithLineAndColumn(int linesBefore) {
        assertThat(Loads.problems(Loads.text("# \uD83D\uDE00\n".repeat(linesBefore) + "b: \u0001")))
                .containsExactly("gateway.yaml:" + (linesBefore + 1)
                        + ": the file is no YAML from column 4 on (found a control character), check indentation,"
                        + " quotes and brackets there and above");
    }

    @Test
    void bracketsWithoutEndAreOneProblem() {
        assertThat(Loads.problems(Loads.text("a: " + "[".repeat(100_000))))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:1: the file is no YAML from column ")
                .contains("(nested too deeply)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"? [a]\n: b\n", "? {a: b}\n: c\n", "a: &x b\n*x : c\n"})
    void aKeyThatIsNotPlainTextIsNoYamlForUs(String yaml) {
        assertThat(Loads.problems(Loads.text(yaml)))
                .last()
                .asString()
                .contains("on (found a key that is not plain text), ");
    }

    @Test
    void whatIsTooLongIsNamed() {
        assertThat(Loads.problems(Loads.text("webhook: {port: " + "9".repeat(2_000) + "}")))
                .containsExactly("gateway.yaml:1: webhook.port is \"" + "9".repeat(80)
                        + "…\", expected a whole number, 1..65535");
        assertThat(Loads.problems(Loads.text("? " + "k".repeat(60_000) + "\n: 1")))
                .containsExactly("gateway.yaml:1: \"" + "k".repeat(320) + "…\" is not a known key, known here: webhook,"
                        + " tls, management, peers, kubernetes, gpus, policy, injection, log");
    }

    @Test
    void aByteOrderMarkIsPassedOver() {
        assertThat(Loads.config("\uFEFFwebhook: {port: 7}").webhook().port()).isEqualTo(7);
        assertThat(Loads.config("\uFEFF")).isEqualTo(GatewayConfig.DEFAULT);
        assertThat(Loads.problems(Loads.text("\uFEFFport: 7")))
                .singleElement()
                .asString()
                .contains(": port is not");
    }

    @Test
    void aSecondDocumentIsAProblemBesideThoseOfTheFirst() {
        assertThat(Loads.problems(Loads.text("webhook: {port: 0}\n---\nwebhook: {port: 1}\n")))
                .containsExactly(
                        "gateway.yaml:1: webhook.port is 0, expected 1..65535",
                        "gateway.yaml:3: the file holds a second document, keep one and remove the line with ---");
    }

    @Test
    void problemsBeforeBrokenSyntaxAreStillReported() {
        assertThat(Loads.problems(Loads.text("tls: {}\ntls: {}\na: b: c\n"))).hasSize(2);
    }

    private ConfigLoader.Loading load(byte[] bytes) throws IOException {
        return ConfigLoader.load(Files.write(directory.resolve("gateway.yaml"), bytes), Map.of());
    }

    private static byte[] comment(int length) {
        return ("#" + "x".repeat(length - 1)).getBytes(StandardCharsets.UTF_8);
    }
}
