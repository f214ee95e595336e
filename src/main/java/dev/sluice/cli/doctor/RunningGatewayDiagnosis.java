package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.ClusterDiagnosis.NodeReport;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.FindingCode;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The newest diagnosis of a running gateway. Verdicts and findings that this version does not know are left out of the
 * report.
 *
 * @param document the answer of the gateway, for output as JSON
 */
record RunningGatewayDiagnosis(ClusterDiagnosis report, long ageSeconds, Object document) {

    /** Asks the gateway. The parameters are those of {@code /api/v1/diagnosis}. */
    static RunningGatewayDiagnosis ask(GatewayApiClient api, Map<String, String> parameters)
            throws UserProblem, InterruptedException {
        JsonNode answer = api.get("/api/v1/diagnosis", parameters, /* patient= */ false);
        return new RunningGatewayDiagnosis(
                read(answer), answer.path("ageSeconds").asLong(), answer);
    }

    static ClusterDiagnosis read(JsonNode answer) {
        return new ClusterDiagnosis(
                all(answer.path("pods"), RunningGatewayDiagnosis::pod),
                all(answer.path("nodes"), RunningGatewayDiagnosis::node),
                ResourceFaults.NONE,
                all(
                        answer.path("unchecked"),
                        unread -> new UnreadObject(text(unread, "kind"), text(unread, "consequence"))),
                /* podsKnown= */ true);
    }

    private static PodDiagnosis pod(JsonNode pod) {
        return new PodDiagnosis(
                text(pod, "namespace"),
                text(pod, "name"),
                verdict(pod.path("verdict")),
                all(pod.path("also"), RunningGatewayDiagnosis::verdict).stream()
                        .flatMap(Optional::stream)
                        .toList(),
                all(pod.path("reasons"), JsonNode::asText),
                text(pod, "explanation"),
                all(
                        pod.path("evidence"),
                        evidence ->
                                new Evidence(text(evidence, "kind"), text(evidence, "name"), text(evidence, "fact"))));
    }

    private static NodeReport node(JsonNode node) {
        return new NodeReport(
                text(node, "name"),
                all(node.path("findings"), RunningGatewayDiagnosis::finding).stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static Optional<Finding> finding(JsonNode finding) {
        return Arrays.stream(FindingCode.values())
                .filter(code -> code.word().equals(text(finding, "code")))
                .findFirst()
                .map(code -> new Finding(code, text(finding, "explanation")));
    }

    private static Optional<DiagnosisCode> verdict(JsonNode word) {
        return Arrays.stream(DiagnosisCode.values())
                .filter(code -> code.word().equals(word.asText()))
                .findFirst();
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asText("");
    }

    private static <T> List<T> all(JsonNode list, Function<JsonNode, T> each) {
        return list.valueStream().map(each).toList();
    }
}
