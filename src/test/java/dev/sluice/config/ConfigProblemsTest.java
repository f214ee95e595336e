package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigProblemsTest {

    @Test
    void tenMistakesGiveTenMessagesInTheOrderOfTheFile() {
        assertThat(Loads.problems(Loads.text("""
                webhook:
                  host: localhost:8443
                  port: 0
                  maxBodyByte: 4096
                tls: { mode: acme }
                tls: { mode: files }
                management: 9090
                policy:
                  namespaces:
                    Team_A: { whenNotOffered: deny }
                  whenNotOffered: ignore
                  chains:
                    nvidia.com/mig-2g.20gb: [gpu]
                injection: { file: 7 }
                """)))
                .hasSize(10)
                .containsExactly(
                        "gateway.yaml:2: webhook.host is \"localhost:8443\", expected a host name or address without port",
                        "gateway.yaml:3: webhook.port is 0, expected 1..65535",
                        "gateway.yaml:4: webhook.maxBodyByte is not a known key, did you mean maxBodyBytes?",
                        "gateway.yaml:5: tls.mode is \"acme\", expected files or self-managed",
                        "gateway.yaml:6: tls is written twice, first in line 5, keep one",
                        "gateway.yaml:7: management is 9090, expected a map of keys",
                        "gateway.yaml:10: policy.namespaces.Team_A is no namespace, expected at most 63 of"
                                + " a-z, 0-9, - (not at the ends), and * or ? for any",
                        "gateway.yaml:11: policy.whenNotOffered is \"ignore\", expected keep or deny",
                        "gateway.yaml:13: policy.chains.\"nvidia.com/mig-2g.20gb\"[0] is \"gpu\", not a qualified"
                                + " resource name, expected domain/name such as nvidia.com/gpu",
                        "gateway.yaml:14: injection.file is 7, expected text, quote it: \"7\"");
    }

    static Stream<Arguments> everyMistake() throws IOException {
        return Mistakes.of("gateway-mistakes.txt");
    }

    @ParameterizedTest
    @MethodSource("everyMistake")
    void aMistakeIsNamedWithItsKeyItsValueAndTheFix(String yaml, String message) {
        assertThat(Loads.problems(Loads.text(yaml))).first().isEqualTo("gateway.yaml:1: " + message);
    }

    @Test
    void aPathWithAZeroByteIsRefused() {
        assertThat(Loads.problems(Loads.text("tls: {key: \"a\\0b\"}")))
                .containsExactly("gateway.yaml:1: tls.key is \"a\\u0000b\", expected the path of a file");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "65536", "99999999999", "4294967297", "-99999999999999999999"})
    void aPortOutOfRangeIsRefused(String port) {
        for (String section : List.of("webhook", "management")) {
            assertThat(Loads.problems(Loads.text(section + ": {port: " + port + "}")))
                    .containsExactly("gateway.yaml:1: " + section + ".port is " + port + ", expected 1..65535");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8_443", "0443", "\"08443\"", "0x20FB", "+8443", "8443.0", "8e3", "\"8443\"", "yes", "-0", ".inf"
            })
    void aPortIsAWholeNumberInPlainDecimal(String port) {
        assertThat(Loads.problems(Loads.text("webhook: {port: " + port + "}")))
                .containsExactly("gateway.yaml:1: webhook.port is " + port + ", expected a whole number, 1..65535");
    }

    @ParameterizedTest
    @CsvSource({
        "1023, 'is 1023, expected 1024..16777216'",
        "16777217, 'is 16777217, expected 1024..16777216'",
        "8Mi, 'is \"8Mi\", expected a whole number, 1024..16777216'"
    })
    void theBodyLimitIsInBytesAndInRange(String value, String message) {
        assertThat(Loads.problems(Loads.text("webhook: {maxBodyBytes: " + value + "}")))
                .containsExactly("gateway.yaml:1: webhook.maxBodyBytes " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a_b", "a.b", "-a", "a-", "'*-'", "a b", "''", "kube/system", "'[ab]'", "{a: b}"})
    void anIllegalNamespaceIsRefused(String namespace) {
        assertThat(Loads.problems(Loads.text("policy:\n  namespaces:\n    ? " + namespace + "\n    : {}\n")))
                .isNotEmpty()
                .first()
                .asString()
                .startsWith("gateway.yaml:3: ");
    }

    @Test
    void aNamespaceHasAtMost63Characters() {
        assertThat(Loads.config("policy: {namespaces: {" + "a".repeat(63) + ": {}}}"))
                .isNotNull();
        assertThat(Loads.problems(Loads.text("policy: {namespaces: {" + "a".repeat(64) + ": {}}}")))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'*'", "'?'", "team-*", "'*-gpu'", "a", "0", "'123'", "a-0", "'*a?b*'", "null", "yes"})
    void aLegalNamespaceOrGlobIsTaken(String namespace) {
        assertThat(Loads.config("policy: {namespaces: {" + namespace + ": {whenNotOffered: deny}}}"))
                .isNotEqualTo(GatewayConfig.DEFAULT);
    }

    @Test
    void aLongValueIsCutAndKeptOnOneLine() {
        String shown = Loads.problems(Loads.text("tls: {mode: \"a\\n" + "b".repeat(5000) + "\"}"))
                .getFirst();
        assertThat(shown)
                .isEqualTo(
                        "gateway.yaml:1: tls.mode is \"a\\n" + "b".repeat(78) + "…\", expected files or self-managed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a\\U000E0041b | a\\U000e0041b", "a\\\\nb | a\\\\nb", "a\\nb | a\\nb", "a\\u202eb | a\\u202eb"})
    void aValueIsShownAsItIsWrittenBetweenDoubleQuotes(String written, String shown) {
        assertThat(Loads.problems(Loads.text("tls: {mode: \"" + written + "\"}")))
                .containsExactly("gateway.yaml:1: tls.mode is \"" + shown + "\", expected files or self-managed");
    }

    /** The 80th letter is hidden, or half of a pair would be. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\\u202e | \\u202e…", "\\U000E0041 | …", "\\U0001F600 | …"})
    void theCutSplitsNoLetter(String written, String shown) {
        String before = "b".repeat(79);
        assertThat(Loads.problems(Loads.text("tls: {mode: \"" + before + written + "c\"}")))
                .containsExactly(
                        "gateway.yaml:1: tls.mode is \"" + before + shown + "\", expected files or self-managed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "abc", " 8443", "+8443", "08443", "8443.0", "tcp://10.0.0.1:8443"})
    void aBadPortInTheEnvironmentIsRefused(String port) {
        assertThat(Loads.problems(Loads.text("webhook: {port: 0}", Map.of("PORT", port))))
                .containsExactly(
                        "gateway.yaml:1: webhook.port is 0, expected 1..65535",
                        "environment: PORT is \"" + port + "\", expected 1..65535, or unset it");
    }

    @Test
    void thePortOfTheEnvironmentMustNotBeTheManagementPort() {
        assertThat(Loads.problems(Loads.text("", Map.of("PORT", "9090"))))
                .containsExactly("environment: PORT is 9090, the same as management.port, choose another port");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"webhook: {port: 0}\nmanagement: {port: 8443}", "management: {port: x}\nwebhook: {port: 9090}"})
    void noCollisionIsInventedBesideABadPort(String yaml) {
        assertThat(Loads.problems(Loads.text(yaml))).hasSize(1);
    }

    @Test
    void withoutAFileTheEnvironmentIsStillChecked() {
        assertThat(Loads.problems(ConfigLoader.load(null, Map.of("PORT", "x"))))
                .containsExactly("environment: PORT is \"x\", expected 1..65535, or unset it");
    }
}
