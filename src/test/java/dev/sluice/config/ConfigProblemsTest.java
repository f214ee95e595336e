package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

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
                        "gateway.yaml:5: tls.mode is \"acme\", expected files",
                        "gateway.yaml:6: tls is written twice, first in line 5, keep one",
                        "gateway.yaml:7: management is 9090, expected a map of keys",
                        "gateway.yaml:10: policy.namespaces.Team_A is no namespace, expected at most 63 of"
                                + " a-z, 0-9, - (not at the ends), and * or ? for any",
                        "gateway.yaml:11: policy.whenNotOffered is \"ignore\", expected keep or deny",
                        "gateway.yaml:13: policy.chains.\"nvidia.com/mig-2g.20gb\"[0] is \"gpu\", not a qualified"
                                + " resource name, expected domain/name such as nvidia.com/gpu",
                        "gateway.yaml:14: injection.file is 7, expected text, quote it: \"7\"");
    }

    static Stream<Arguments> everyMistake() {
        return Stream.of(
                Arguments.of("webhok: {}", "webhok is not a known key, did you mean webhook?"),
                Arguments.of(
                        "logging: {}",
                        "logging is not a known key, known here: webhook, tls, management, kubernetes, policy, injection"),
                Arguments.of("webhook: {prot: 1}", "webhook.prot is not a known key, did you mean port?"),
                Arguments.of(
                        "webhook: {<<: {port: 1}}",
                        "webhook.\"<<\" is not a known key, known here: host, port," + " maxBodyBytes"),
                Arguments.of(
                        "tls: {cert: a}",
                        "tls.cert is not a known key, known here: mode, engine, certificate,"
                                + " key, clientCa, clientNames"),
                Arguments.of(
                        "kubernetes: {kubeConfig: a}",
                        "kubernetes.kubeConfig is not a known key, did you mean" + " kubeconfig?"),
                Arguments.of(
                        "policy: {whenExausted: wait}",
                        "policy.whenExausted is not a known key, did you mean" + " whenExhausted?"),
                Arguments.of(
                        "policy: {namespaces: {a: {chain: {}}}}",
                        "policy.namespaces.a.chain is not a known key," + " did you mean chains?"),
                Arguments.of(
                        "policy: {namespaces: {a: {namespaces: {}}}}",
                        "policy.namespaces.a.namespaces is not a"
                                + " known key, known here: mode, whenNotOffered, whenClusterHasNoGpu, whenExhausted, chains"),
                Arguments.of(
                        "injection: {file: null, path: a}",
                        "injection.path is not a known key, known here: file, keepUserValues"),
                Arguments.of("[]", "the file is a list, expected a map of keys"),
                Arguments.of("webhook", "the file is \"webhook\", expected a map of keys"),
                Arguments.of("webhook: []", "webhook is a list, expected a map of keys"),
                Arguments.of("tls: true", "tls is true, expected a map of keys"),
                Arguments.of("policy: {namespaces: [a]}", "policy.namespaces is a list, expected a map of keys"),
                Arguments.of(
                        "policy: {namespaces: {a: deny}}",
                        "policy.namespaces.a is \"deny\", expected a map of" + " keys"),
                Arguments.of(
                        "policy: {mode: Allocatable}",
                        "policy.mode is \"Allocatable\", expected allocatable or" + " availability"),
                Arguments.of(
                        "policy: {whenClusterHasNoGpu: no}",
                        "policy.whenClusterHasNoGpu is no, expected keep or" + " deny"),
                Arguments.of(
                        "policy: {whenExhausted: keep}",
                        "policy.whenExhausted is \"keep\", expected wait or" + " deny"),
                Arguments.of(
                        "policy: {whenNotOffered: [keep]}",
                        "policy.whenNotOffered is a list, expected keep or" + " deny"),
                Arguments.of("tls: {engine: boringssl}", "tls.engine is \"boringssl\", expected openssl or jdk"),
                Arguments.of("tls: {certificate: 5}", "tls.certificate is 5, expected text, quote it: \"5\""),
                Arguments.of(
                        "tls: {certificate: ''}",
                        "tls.certificate is \"\", expected text, or null for the" + " default"),
                Arguments.of(
                        "tls: {key: ~/tls.key}",
                        "tls.key is \"~/tls.key\", only a shell expands ~, write the" + " whole path"),
                Arguments.of("tls: {key: \"a\\0b\"}", "tls.key is \"a\0b\", expected the path of a file"),
                Arguments.of("tls: {clientCa: {file: a}}", "tls.clientCa is a map, expected text"),
                Arguments.of(
                        "tls: {clientCa: a, clientNames: kube-apiserver}",
                        "tls.clientNames is \"kube-apiserver\", expected a list of texts such as [kube-apiserver], or []"),
                Arguments.of(
                        "tls: {clientCa: a, clientNames: [1]}",
                        "tls.clientNames is a list, expected a list of texts such as [kube-apiserver], or []"),
                Arguments.of(
                        "tls: {clientNames: [kube-apiserver]}",
                        "tls.clientNames is set without tls.clientCa, so that no caller shows a certificate, set"
                                + " tls.clientCa, or remove the names"),
                Arguments.of(
                        "kubernetes: {context: true}",
                        "kubernetes.context is true, expected text, quote it:" + " \"true\""),
                Arguments.of(
                        "injection: {keepUserValues: maybe}",
                        "injection.keepUserValues is \"maybe\", expected true or false"),
                Arguments.of("injection: {file: {}}", "injection.file is a map, expected text"),
                Arguments.of(
                        "management: {port: 8443}",
                        "management.port is 8443, the same as webhook.port, choose" + " another port"),
                Arguments.of(
                        "webhook: {port: 9090}",
                        "webhook.port is 9090, the same as management.port, choose" + " another port"),
                Arguments.of(
                        "webhook: {port: 7, port: 0}", "webhook.port is written twice, first in line 1, keep" + " one"),
                Arguments.of(
                        "policy: {namespaces: {a: {}, a: {}}}",
                        "policy.namespaces.a is written twice, first in" + " line 1, keep one"),
                Arguments.of(
                        "{webhook: &w {}, management: *w}",
                        "management is an alias of another value, write the" + " value itself"),
                Arguments.of(
                        "webhook: {port: !!int \"7\"}", "webhook.port has a YAML tag, write the value without" + " it"),
                Arguments.of("webhook: !x {port: 0}", "webhook has a YAML tag, write the value without it"),
                Arguments.of(
                        "webhook: {port: " + "[".repeat(30) + "]".repeat(30) + "}",
                        "webhook.port" + "[0]".repeat(15) + " is nested too deeply, expected at most 16 levels"));
    }

    @ParameterizedTest
    @MethodSource("everyMistake")
    void aMistakeIsNamedWithItsKeyItsValueAndTheFix(String yaml, String message) {
        assertThat(Loads.problems(Loads.text(yaml))).first().isEqualTo("gateway.yaml:1: " + message);
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
        assertThat(shown).isEqualTo("gateway.yaml:1: tls.mode is \"a " + "b".repeat(78) + "…\", expected files");
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
