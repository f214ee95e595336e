package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.kube.facts.FactsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorReportChangesTest {

    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-1", "labels": {"kubernetes.io/hostname": "gpu-1"}},
             "spec": {"unschedulable": %s}, "status": {
               "capacity": {"nvidia.com/gpu": "2", "cpu": "8", "memory": "8Gi", "pods": "10"},
               "conditions": [{"type": "Ready", "status": "True"}]}}""";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train", "namespace": "team"},
             "spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "%s"}}}]},
             "status": {"phase": "Pending"}}""";

    @TempDir
    private Path directory;

    private ClusterDiagnosis report(String... items) throws IOException, ClusterStateException {
        ObjectNode list = new ObjectMapper().createObjectNode().put("kind", "List");
        for (String item : items) {
            list.withArray("items").add(new YAMLMapper().readTree(item));
        }
        return Diagnosis.of(
                FactsFiles.read(List.of(Files.writeString(directory.resolve("list.json"), list.toString()))));
    }

    @Test
    void aVerdictThatChangesIsTold() throws Exception {
        List<String> changes = DoctorReportChanges.between(
                report(NODE.formatted("false"), POD.formatted("1")),
                report(NODE.formatted("true"), POD.formatted("1")));

        assertThat(changes)
                .satisfiesExactly(
                        pod -> assertThat(pod)
                                .startsWith("~ pod team/train Healthy -> ConstraintMismatch (cordon): ")
                                .contains("gpu-1"),
                        node -> assertThat(node).startsWith("+ node gpu-1 Cordoned: "));
    }

    @Test
    void aVerdictThatAppearsOrGoesIsTold() throws Exception {
        ClusterDiagnosis without = report(NODE.formatted("false"));
        ClusterDiagnosis with = report(NODE.formatted("false"), POD.formatted("3"));

        assertThat(DoctorReportChanges.between(without, with))
                .anySatisfy(change -> assertThat(change).startsWith("+ pod team/train NeverFitsOneNode: "))
                .anySatisfy(change -> assertThat(change).startsWith("- unchecked pods"));
        assertThat(DoctorReportChanges.between(with, without)).contains("- pod team/train NeverFitsOneNode");
    }

    @Test
    void eachObjectThatCannotBeReadIsTold() throws Exception {
        String broken = "{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: team}, spec: 7}";
        ClusterDiagnosis one = report(NODE.formatted("false"), broken.formatted("a"), broken.formatted("z"));
        ClusterDiagnosis two =
                report(NODE.formatted("false"), broken.formatted("a"), broken.formatted("b"), broken.formatted("z"));

        assertThat(DoctorReportChanges.between(one, two))
                .singleElement()
                .asString()
                .startsWith("+ unchecked pods: Pod team/b cannot be read: ");
        assertThat(DoctorReportChanges.between(two, one))
                .singleElement()
                .asString()
                .startsWith("- unchecked pods: Pod team/b cannot be read: ");
    }

    @Test
    void filesAreToldApartWhateverTheirNamesContain() throws Exception {
        Path dump = Files.createDirectories(directory.resolve("dump"));
        Files.writeString(
                dump.resolve("nodes.json"), "{\"kind\":\"List\",\"items\":[" + NODE.formatted("false") + "]}");
        Files.writeString(dump.resolve("stray, one.json"), "no list");
        ClusterDiagnosis one = Diagnosis.of(FactsFiles.read(List.of(dump)));
        Files.writeString(dump.resolve("stray, two.json"), "no list");
        ClusterDiagnosis two = Diagnosis.of(FactsFiles.read(List.of(dump)));

        assertThat(DoctorReportChanges.between(one, two))
                .singleElement()
                .asString()
                .startsWith("+ unchecked files: " + dump.resolve("stray, two.json"));
    }

    @Test
    void anotherNumberIsNoChange() throws Exception {
        ClusterDiagnosis three = report(NODE.formatted("false"), POD.formatted("3"));
        ClusterDiagnosis four = report(NODE.formatted("false"), POD.formatted("4"));

        assertThat(DoctorReportChanges.between(three, four)).isEmpty();
        assertThat(three.pods().getFirst().explanation())
                .isNotEqualTo(four.pods().getFirst().explanation());
    }
}
