package dev.sluice.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.ClusterReport;
import dev.sluice.doctor.ClusterReport.NodeReport;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.PodVerdict;
import dev.sluice.doctor.VerdictCode;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import java.io.IOException;
import java.util.List;

/** Writes a diagnosis for machines, in the shape that {@code src/docs/doctor.md} documents. */
public final class DiagnosisEncoder {

    private DiagnosisEncoder() {}

    public static void write(ClusterReport report, JsonGenerator json) throws IOException {
        json.writeStartObject();
        members(report, json);
        json.writeEndObject();
    }

    /** The members of the object, for those who add their own. */
    public static void members(ClusterReport report, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("pods");
        for (PodVerdict pod : report.pods()) {
            pod(pod, json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodes");
        for (NodeReport node : report.nodes()) {
            node(node, json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("unchecked");
        for (UnreadObject unread : report.unchecked()) {
            texts(json, "kind", unread.plural(), "consequence", unread.why());
        }
        json.writeEndArray();
    }

    private static void pod(PodVerdict pod, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("namespace", pod.namespace());
        json.writeStringField("name", pod.name());
        json.writeStringField("verdict", pod.verdict().map(VerdictCode::word).orElse(null));
        strings("also", pod.also().stream().map(VerdictCode::word).toList(), json);
        strings("reasons", pod.reasons(), json);
        json.writeStringField("explanation", pod.explanation());
        json.writeArrayFieldStart("evidence");
        for (Evidence seen : pod.evidence()) {
            texts(json, "kind", seen.kind(), "name", seen.name(), "fact", seen.fact());
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void node(NodeReport node, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", node.name());
        json.writeArrayFieldStart("findings");
        for (Finding finding : node.findings()) {
            texts(json, "code", finding.code().word(), "explanation", finding.explanation());
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** An object of names and texts, which alternate. */
    private static void texts(JsonGenerator json, String... namesAndTexts) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            json.writeStringField(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        json.writeEndObject();
    }
}
