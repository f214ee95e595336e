package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Writes what a cluster has, as {@code /api/v1/capacity} and {@code sluice capacity -o json} show it:
 *
 * <pre>{@code
 * {"generation": 7,
 *  "cluster": [{"resource": "nvidia.com/gpu", "capacity": 8, "allocatable": 8, "nodes": 2, "largest": 4}],
 *  "nodes": [{"node": "gpu-1", "resources": [{"resource": "nvidia.com/gpu", "capacity": 4, "allocatable": 4}]}]}
 * }</pre>
 *
 * <p>Resources and nodes are sorted by name. Numbers are whole devices. Members may be added; none is taken away.
 */
public final class CapacityEncoder {

    private static final JsonFactory JSON = new JsonFactory();

    private CapacityEncoder() {}

    public static byte[] encode(CapacityReport report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            write(report, json);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    public static void write(CapacityReport report, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", report.generation());
        json.writeArrayFieldStart("cluster");
        for (CapacityReport.Sum sum : report.cluster()) {
            json.writeStartObject();
            json.writeStringField("resource", sum.resource().value());
            json.writeNumberField("capacity", sum.capacity());
            json.writeNumberField("allocatable", sum.allocatable());
            json.writeNumberField("nodes", sum.nodes());
            json.writeNumberField("largest", sum.largest());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodes");
        for (CapacityReport.NodeAmounts node : report.nodes()) {
            json.writeStartObject();
            json.writeStringField("node", node.node());
            json.writeArrayFieldStart("resources");
            for (CapacityReport.Amount amount : node.amounts()) {
                json.writeStartObject();
                json.writeStringField("resource", amount.resource().value());
                json.writeNumberField("capacity", amount.capacity());
                json.writeNumberField("allocatable", amount.allocatable());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
