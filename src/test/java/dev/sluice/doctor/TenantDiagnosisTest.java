package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.kube.facts.FactsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TenantDiagnosisTest {

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._]*[A-Za-z0-9]|[A-Za-z0-9]");

    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    private Path directory;

    private static ClusterDiagnosis report(String explanation, Evidence... evidence) {
        PodDiagnosis own = new PodDiagnosis(
                "team-a",
                "train",
                Optional.of(DiagnosisCode.ALL_USED),
                List.of(),
                List.of(),
                explanation,
                List.of(evidence));
        PodDiagnosis foreign = new PodDiagnosis(
                "team-b", "secret", Optional.of(DiagnosisCode.ALL_USED), List.of(), List.of(), "it waits", List.of());
        return new ClusterDiagnosis(
                List.of(own, foreign),
                List.of(new ClusterDiagnosis.NodeReport("n1", List.of())),
                ResourceFaults.NONE,
                List.of(
                        new UnreadObject("events", "the namespace team-b has too many"),
                        new UnreadObject("pods", UnreadObject.NOT_COLLECTED + ": some are missing")),
                /* podsKnown= */ true);
    }

    private static String told(String explanation) {
        return TenantDiagnosis.of(report(explanation), "team-a")
                .pods()
                .getFirst()
                .explanation();
    }

    @Test
    void onlyPodsOfTheNamespaceAreShownAndNothingOfNodes() {
        ClusterDiagnosis part = TenantDiagnosis.of(report("it waits"), "team-a");

        assertThat(part.pods()).extracting(PodDiagnosis::fullName).containsExactly("team-a/train");
        assertThat(part.nodes()).isEmpty();
        assertThat(part.faults()).isEqualTo(ResourceFaults.NONE);
        assertThat(part.unchecked())
                .extracting(UnreadObject::why)
                .containsExactly("Not all of them could be checked.", "No object was collected: some are missing");
        assertThat(TenantDiagnosis.of(report("it waits"), "team").pods()).isEmpty();
    }

    @Test
    void whatTheKubeletSaysOfThePodsOfOthersIsLeftOut() {
        String said = "secret \"of others\") and a name";

        assertThat(told("The plugin pod gpu/plugin-x is Pending, not ready" + PodStartFailures.quoted(said) + "."))
                .isEqualTo("The plugin pod an object of another namespace is Pending, not ready.");
    }

    @Test
    void namesOfOtherNamespacesAreLeftOut() {
        assertThat(told("All are used, held by team-b/secret."))
                .isEqualTo("All are used, held by an object of another namespace.");
        assertThat(told("All are used, held by team-b/x-1, team-c/y.z (terminating), team-a/own and 3 more."))
                .isEqualTo("All are used, held by objects of other namespaces, team-a/own and 3 more.");
        assertThat(told("held by team-a/own (claim mine), team-b/x (claim theirs)."))
                .isEqualTo("held by team-a/own (claim mine), an object of another namespace.");
        assertThat(told("claim team-b/c is reserved for pod team-b/gone, which does not exist"))
                .isEqualTo("claim an object of another namespace is reserved for pod an object of another namespace,"
                        + " which does not exist");
        assertThat(told("Ask for nvidia.com/gpu, nvidia.com/mig-1g.5gb or /dev/nvidia0 of team-a/own."))
                .isEqualTo("Ask for nvidia.com/gpu, nvidia.com/mig-1g.5gb or /dev/nvidia0 of team-a/own.");
        // A namespace whose name begins or ends with that of the tenant is another one.
        assertThat(told("held by team-a-b/x, x-team-a/y")).isEqualTo("held by objects of other namespaces");
        assertThat(told("See kubectl -n gpu-operator logs plugin-x7; or kubectl -n team-a logs own."))
                .isEqualTo("See a command for another namespace; or kubectl -n team-a logs own.");
    }

    /** Whoever can create pods decides how many names a text has. A thread of the gateway has a small stack. */
    @Test
    void manyNamesInARowTakeNoDeepStack() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Thread thread = new Thread(
                null, () -> told.add(told("held by " + "x/y, ".repeat(3_000) + "x/y.")), "small", 256 * 1_024);
        thread.start();
        thread.join();

        assertThat(told).containsExactly("held by objects of other namespaces.");
    }

    @Test
    void evidenceOfOtherNamespacesIsLeftOut() {
        ClusterDiagnosis part = TenantDiagnosis.of(
                report(
                        "it waits",
                        new Evidence("Pod", "team-b/secret", "holds devices"),
                        new Evidence("Node", "n1", "is full because of team-b/secret"),
                        new Evidence("Pod", "team-a/train", "waits")),
                "team-a");

        assertThat(part.pods().getFirst().evidence())
                .containsExactly(
                        new Evidence("Node", "n1", "is full because of an object of another namespace"),
                        new Evidence("Pod", "team-a/train", "waits"));
    }

    /** In every golden case, nobody learns the name of an object or of a namespace that is not the reader's. */
    @Test
    void noGoldenCaseNamesAnother() throws Exception {
        List<String> leaks = new ArrayList<>();
        int foreignNames = 0;
        try (Stream<Path> cases = Files.list(Path.of("src/test/resources/doctor"))) {
            for (Path golden : cases.sorted().toList()) {
                Path cluster = directory.resolve("cluster.yaml");
                // Sentences have the word "other".
                String objects =
                        Files.readString(golden).split("(?m)^---$", -1)[0].replace("\"other\"", "\"stranger\"");
                Files.writeString(cluster, objects);
                ClusterFacts facts = FactsFiles.read(List.of(cluster));
                ClusterDiagnosis report = Diagnosis.of(facts);
                for (String namespace : namespaces(facts, report)) {
                    Set<String> foreign = foreign(YAML.readTree(objects), namespace);
                    foreignNames += foreign.size();
                    Set<String> told = words(TenantDiagnosis.of(report, namespace));
                    told.retainAll(foreign);
                    if (!told.isEmpty()) {
                        leaks.add(golden.getFileName() + " for " + namespace + ": " + told);
                    }
                }
            }
        }
        assertThat(leaks).isEmpty();
        assertThat(foreignNames).isGreaterThan(100);
    }

    /**
     * Returns the names of all objects in other namespaces, and of these namespaces, except what the objects of the
     * namespace mention themselves.
     */
    private static Set<String> foreign(JsonNode objects, String namespace) {
        Set<String> foreign = new HashSet<>();
        Set<String> visible = new HashSet<>();
        for (JsonNode item : objects.path("items")) {
            String of = item.at("/metadata/namespace").asText();
            String name = item.at("/metadata/name").asText();
            if (of.isEmpty() || of.equals(namespace)) {
                visible.addAll(words(item.toString()));
            } else {
                foreign.add(of);
                foreign.add(name);
            }
        }
        foreign.removeAll(visible);
        return foreign;
    }

    private static Set<String> namespaces(ClusterFacts facts, ClusterDiagnosis report) {
        return Stream.concat(
                        facts.pods().stream().map(PodFacts::namespace),
                        report.pods().stream().map(PodDiagnosis::namespace))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> words(ClusterDiagnosis part) {
        List<String> texts = new ArrayList<>();
        for (PodDiagnosis pod : part.pods()) {
            texts.add(pod.explanation());
            pod.evidence().forEach(evidence -> texts.add(evidence.name() + " " + evidence.fact()));
        }
        part.unchecked().forEach(unread -> texts.add(unread.why()));
        String all = String.join("\n", texts)
                .replace("an object of another namespace", "")
                .replace("objects of other namespaces", "");
        return words(all);
    }

    /** Leaves out single letters. Some cases have pods with such names, which are also words of other sentences. */
    private static Set<String> words(String text) {
        return WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(word -> word.length() > 1)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
