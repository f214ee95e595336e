package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.KubernetesFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeConstraintsTest {

    @Test
    void selectorAndAffinityAdmitAsTheSchedulerDoes() {
        List<String> disagreements = new ArrayList<>();
        for (JsonNode fact : KubernetesFacts.documents("affinity.jsonl")) {
            Node node = node("n1", KubernetesFacts.texts(fact.get("labels")), List.of());
            NodeConstraints constraints = new NodeConstraints(
                    null, KubernetesFacts.texts(fact.get("nodeSelector")), terms(fact.get("terms")), List.of());
            boolean ours = constraints.lastingRefusal(node).isEmpty();
            if (ours != fact.get("matches").booleanValue()) {
                disagreements.add(fact.toString());
            }
        }
        assertThat(disagreements).isEmpty();
    }

    @Test
    void readsTheNameWhereverTheSchedulersAnswerDependsOnIt() {
        for (JsonNode fact : KubernetesFacts.documents("affinity.jsonl")) {
            NodeConstraints constraints = new NodeConstraints(
                    null, KubernetesFacts.texts(fact.get("nodeSelector")), terms(fact.get("terms")), List.of());
            Map<String, String> labels = KubernetesFacts.texts(fact.get("labels"));
            boolean one =
                    constraints.lastingRefusal(node("n1", labels, List.of())).isEmpty();
            boolean other =
                    constraints.lastingRefusal(node("n2", labels, List.of())).isEmpty();
            if (one != other) {
                assertThat(constraints.readsNameOr(Set.of())).as("%s", fact).isTrue();
            }
            if (one) {
                assertThat(constraints.onlyNode().orElse("n1")).as("%s", fact).isEqualTo("n1");
            }
        }
    }

    private static @Nullable List<NodeSelectorTerm> terms(JsonNode terms) {
        return terms.isNull()
                ? null
                : stream(terms)
                        .map(term -> new NodeSelectorTerm(
                                requirements(term.path("matchExpressions")), requirements(term.path("matchFields"))))
                        .toList();
    }

    private static List<NodeRequirement> requirements(JsonNode requirements) {
        return stream(requirements)
                .map(line -> new NodeRequirement(
                        line.get("key").textValue(),
                        NodeRequirement.Operator.of(line.get("operator").textValue()),
                        stream(line.path("values")).map(JsonNode::textValue).toList()))
                .toList();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Node node(String name, Map<String, String> labels, List<Taint> taints) {
        return new Node(name, labels, taints, /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, 1);
    }

    @Test
    void aNodeNameAdmitsThatNodeOnly() {
        NodeConstraints constraints = new NodeConstraints("n1", Map.of(), null, List.of());
        assertThat(constraints.lastingRefusal(node("n1", Map.of(), List.of()))).isEmpty();
        assertThat(constraints.lastingRefusal(node("n2", Map.of(), List.of())))
                .map(PodNodeMismatch::text)
                .contains("the pod's nodeName is n1");
        assertThat(constraints.onlyNode()).contains("n1");
    }

    @Test
    void aLastingTaintRefusesUnlessTolerated() {
        Taint taint = new Taint("team", "ml", Taint.Effect.NO_SCHEDULE);
        Node node = node("n1", Map.of(), List.of(taint));
        Toleration toleration = new Toleration("team", Toleration.TolerationOperator.EQUAL, "ml", "");
        assertThat(NodeConstraints.NONE.lastingRefusal(node)).contains(new PodNodeMismatch.Untolerated(taint));
        assertThat(new NodeConstraints(null, Map.of(), null, List.of(toleration)).lastingRefusal(node))
                .isEmpty();
    }

    @Test
    void cordonsAndPassingTaintsDoNotRefuse() {
        Taint notReady = new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_EXECUTE);
        Node node =
                new Node("n1", Map.of(), List.of(notReady), /* unschedulable= */ true, Amounts.NONE, Amounts.NONE, 1);
        assertThat(NodeConstraints.NONE.lastingRefusal(node)).isEmpty();
    }

    @Test
    void everyRefusalSaysWhatIsMissing() {
        NodeConstraints constraints = new NodeConstraints(null, Map.of("zone", "a"), List.of(), List.of());
        assertThat(constraints.lastingRefusal(node("n1", Map.of("zone", "b"), List.of())))
                .map(PodNodeMismatch::text)
                .contains("nodeSelector wants zone=a");
        assertThat(constraints.lastingRefusal(node("n1", Map.of("zone", "a"), List.of())))
                .map(PodNodeMismatch::text)
                .contains("no term of the required node affinity matches");
        assertThat(new PodNodeMismatch.Untolerated(new Taint("k", "", Taint.Effect.NO_EXECUTE)).text())
                .isEqualTo("taint k:NoExecute is not tolerated");
    }
}
