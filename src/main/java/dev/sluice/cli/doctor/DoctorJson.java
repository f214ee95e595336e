package dev.sluice.cli.doctor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.DiagnosisEncoder;
import dev.sluice.diagnosis.verdict.ClusterReport;
import java.io.IOException;
import java.io.PrintWriter;

/** Prints a report for machines, with line breaks. */
final class DoctorJson {

    private static final ObjectMapper JSON =
            JsonMapper.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private DoctorJson() {}

    static void print(ClusterReport report, PrintWriter out) throws IOException {
        try (JsonGenerator json = JSON.writerWithDefaultPrettyPrinter().createGenerator(out)) {
            DiagnosisEncoder.write(report, json);
        }
        out.println();
    }
}
