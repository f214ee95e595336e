package dev.sluice.cli.doctor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.DiagnosisEncoder;
import dev.sluice.cli.doctor.NodeBundles.NodeSays;
import dev.sluice.doctor.BundleFinding;
import dev.sluice.doctor.ClusterReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Prints a report for machines, with line breaks. */
final class DoctorJson {

    private static final ObjectMapper JSON =
            JsonMapper.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private DoctorJson() {}

    /** @param bundles empty where no file of a node was given; then the member is missing */
    static void print(ClusterReport report, Optional<List<NodeSays>> bundles, PrintWriter out) throws IOException {
        try (JsonGenerator json = JSON.writerWithDefaultPrettyPrinter().createGenerator(out)) {
            json.writeStartObject();
            DiagnosisEncoder.members(report, json);
            if (bundles.isPresent()) {
                bundles(bundles.get(), json);
            }
            json.writeEndObject();
        }
        out.println();
    }

    private static void bundles(List<NodeSays> bundles, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("nodeBundles");
        for (NodeSays said : bundles) {
            json.writeStartObject();
            json.writeStringField("name", said.node());
            json.writeStringField("time", said.time());
            json.writeArrayFieldStart("findings");
            for (BundleFinding finding : said.findings()) {
                json.writeStartObject();
                json.writeStringField("code", finding.code().word());
                json.writeStringField("explanation", finding.explanation());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
