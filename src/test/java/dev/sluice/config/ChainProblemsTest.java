package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainProblemsTest {

    private static final String CHAINS = "gateway.yaml:1: policy.chains.";

    @ParameterizedTest
    @ValueSource(
            strings = {"gpu", "nvidia.com/", "/gpu", "Nvidia.com/gpu", "nvidia.com/-gpu", "a/b/c", "nvidia.com/a b"})
    void aNameMustBeQualified(String name) {
        String fault = "not a qualified resource name, expected domain/name such as nvidia.com/gpu";
        assertThat(problems("'" + name + "': []")).containsExactly(CHAINS + KeyPath.ROOT.key(name) + " is " + fault);
        assertThat(problems("a.b/c: ['" + name + "']"))
                .containsExactly(CHAINS + "\"a.b/c\"[0] is \"" + name + "\", " + fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.io/gpu", "node.kubernetes.io/gpu", "requests.nvidia.com/gpu"})
    void aNameMustNotBeKubernetesOwn(String name) {
        String fault = "a name that Kubernetes keeps for itself,"
                + " expected a name outside kubernetes.io and without requests.";
        assertThat(problems("a.b/c: [" + name + "]"))
                .containsExactly(CHAINS + "\"a.b/c\"[0] is \"" + name + "\", " + fault);
        assertThat(problems(name + ": []")).containsExactly(CHAINS + '"' + name + "\" is " + fault);
    }

    @Test
    void aChainMustNotHoldItsHead() {
        assertThat(problems("a.b/c: [a.b/d, a.b/c]"))
                .containsExactly(CHAINS
                        + "\"a.b/c\"[1] is the head of its own chain, remove it, the head is always tried first");
    }

    @Test
    void aChainMustNotRepeatAnEntry() {
        assertThat(problems("a.b/c: [a.b/d, a.b/e, a.b/d]"))
                .containsExactly(CHAINS + "\"a.b/c\"[2] is \"a.b/d\" for the second time, keep the first");
    }

    @Test
    void aHeadMustNotBeWrittenTwice() {
        assertThat(problems("a.b/c: [a.b/d], a.b/c: [a.b/e]"))
                .containsExactly(CHAINS + "\"a.b/c\" is written twice, first in line 1, keep one");
    }

    @ParameterizedTest
    @CsvSource({
        "a.b/d, '\"a.b/d\"'",
        "5, 5",
        "{}, a map",
        "null, null",
        "'', null",
        "true, true",
    })
    void aChainIsAList(String value, String shown) {
        assertThat(problems("a.b/c: " + value))
                .containsExactly(CHAINS + "\"a.b/c\" is " + shown
                        + ", expected a list such as [nvidia.com/gpu], or [] for no fallback");
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "{}, a map", "[], a list", "null, null", "false, false"})
    void anEntryIsAName(String value, String shown) {
        assertThat(problems("a.b/c: [a.b/d, " + value + "]"))
                .containsExactly(
                        CHAINS + "\"a.b/c\"[1] is " + shown + ", expected a resource name such as nvidia.com/gpu");
    }

    @Test
    void theChainsAreAMap() {
        assertThat(Loads.problems(Loads.text("policy: {chains: [nvidia.com/gpu]}")))
                .containsExactly("gateway.yaml:1: policy.chains is a list, expected a map of keys");
    }

    @Test
    void chainsUnderANamespaceAreCheckedTheSameWay() {
        assertThat(Loads.problems(Loads.text("""
                policy:
                  namespaces:
                    "team-*":
                      chains:
                        a.b/c:
                        - a.b/d
                        - a.b/c
                        - gpu
                """)))
                .containsExactly(
                        "gateway.yaml:7: policy.namespaces.\"team-*\".chains.\"a.b/c\"[1] is the head of its own"
                                + " chain, remove it, the head is always tried first",
                        "gateway.yaml:8: policy.namespaces.\"team-*\".chains.\"a.b/c\"[2] is \"gpu\", not a qualified"
                                + " resource name, expected domain/name such as nvidia.com/gpu");
    }

    @Test
    void anAliasInAChainIsReportedOnce() {
        assertThat(problems("a.b/c: &x [a.b/d, &y a.b/e], a.b/f: *x, a.b/g: [*y]"))
                .containsExactly(
                        CHAINS + "\"a.b/f\" is an alias of another value, write the value itself",
                        CHAINS + "\"a.b/g\"[0] is an alias of another value, write the value itself");
    }

    @Test
    void aProfileThatNoGpuHasIsAWarningWithTheNearest() {
        String nearest = " a MIG profile that no GPU model has, nearest: nvidia.com/mig-3g.20gb,"
                + " nvidia.com/mig-3g.40gb, nvidia.com/mig-3g.47gb";
        assertThat(warnings("nvidia.com/mig-3g.30gb: [nvidia.com/gpu]"))
                .containsExactly(CHAINS + "\"nvidia.com/mig-3g.30gb\" is" + nearest);
        assertThat(warnings("a.b/c: [nvidia.com/mig-3g.30gb]"))
                .containsExactly(CHAINS + "\"a.b/c\"[0] is \"nvidia.com/mig-3g.30gb\"," + nearest);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nvidia.com/mig-1c.3g.40gb | a MIG compute instance, which is never a resource, expected a name without its 1c.",
                "nvidia.com/mig-small | not the name of a MIG profile, expected one such as nvidia.com/mig-1g.10gb",
                "nvidia.com/mig-9g.7gb | a MIG profile that no GPU model has, none is near it",
            })
    void otherMigNamesThatNoNodeCanOfferAreWarnings(String name, String warning) {
        assertThat(warnings("a.b/c: [" + name + "]"))
                .containsExactly(CHAINS + "\"a.b/c\"[0] is \"" + name + "\", " + warning);
    }

    @Test
    void realProfilesAndOtherNamesGiveNoWarning() {
        assertThat(warnings("nvidia.com/mig-7g.79gb: [nvidia.com/mig-1g.10gb.shared, nvidia.com/mig-1g.24gb-me,"
                        + " nvidia.com/gpu.shared, amd.com/gpu, nvidia.com/shm]"))
                .isEmpty();
    }

    @Test
    void aRefusedFileKeepsItsWarnings() {
        ConfigLoader.Loading loading = Loads.text("policy: {chains: {nvidia.com/mig-3g.30gb: [gpu]}}");
        assertThat(loading).isInstanceOfSatisfying(ConfigLoader.Loading.NotLoaded.class, refused -> {
            assertThat(refused.problems()).hasSize(1);
            assertThat(refused.warnings()).hasSize(1);
        });
    }

    private static List<String> problems(String chains) {
        return Loads.problems(Loads.text("policy: {chains: {" + chains + "}}"));
    }

    private static List<String> warnings(String chains) {
        return Loads.lines(
                Loads.loaded(Loads.text("policy: {chains: {" + chains + "}}")).warnings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{nvidia.com/mig-1g.10gb: [nvidia.com/gpu]} | of up to 80 GB for a request of 10 GB (nvidia.com/mig-1g.10gb)",
                "{nvidia.com/mig-1g.5gb: [nvidia.com/gpu], nvidia.com/mig-1g.12gb: [nvidia.com/gpu]} | of up to 40 GB for a"
                        + " request of 5 GB (nvidia.com/mig-1g.5gb, and 1 chain like it)",
            })
    void aWholeGpuForTheSmallestSliceIsWarnedOf(String chains, String what) {
        assertThat(Loads.lines(
                        Loads.loaded(Loads.text("policy:\n  chains: " + chains)).warnings()))
                .containsExactly("gateway.yaml:2: policy.chains may give a whole GPU " + what
                        + ", remove nvidia.com/gpu from the chain if that is too much");
    }

    /** Half of a GPU, a slice of a GPU with four slices, and chains without a whole GPU. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{nvidia.com/mig-3g.40gb: [nvidia.com/gpu]}",
                "{nvidia.com/mig-1g.6gb: [nvidia.com/gpu]}",
                "{nvidia.com/mig-1g.10gb: [nvidia.com/mig-2g.20gb]}",
                "{example.com/gpu: [nvidia.com/gpu]}"
            })
    void otherChainsAreNotWarnedOf(String chains) {
        assertThat(Loads.loaded(Loads.text("policy: {chains: " + chains + "}")).warnings())
                .isEmpty();
    }
}
