package dev.sluice.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cluster.UnreadableObjects;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * Encodes the report as {@code /api/v1/capacity} and {@code sluice capacity -o json} show it;
 * {@code src/docs/capacity-json.md} documents each member. Members may be added; none is removed.
 */
public final class CapacityEncoder {

    private static final JsonFactory JSON = new JsonFactory();

    /** Amounts of cpu are in thousandths. */
    private static final int CPU_SCALE = 3;

    private final CapacityReport report;
    private final JsonGenerator json;

    private CapacityEncoder(CapacityReport report, JsonGenerator json) {
        this.report = report;
        this.json = json;
    }

    public static byte[] encode(CapacityReport report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            new CapacityEncoder(report, json).write();
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    private void write() throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", report.generation());
        json.writeBooleanField("podsKnown", report.podsKnown());
        if (report.podsKnown()) {
            json.writeNumberField("unplaced", report.unplaced());
        }
        json.writeObjectFieldStart("passedOver");
        passedOver("nodes", report.leftOut().nodes());
        passedOver("pods", report.leftOut().pods());
        json.writeEndObject();
        json.writeArrayFieldStart("cluster");
        for (Sum sum : report.cluster()) {
            write(sum);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodes");
        for (NodeAmounts node : report.nodes()) {
            write(node);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(Sum sum) throws IOException {
        json.writeStartObject();
        amount(sum.total(), sum.available());
        json.writeNumberField("nodes", sum.nodes());
        number("largest", sum.resource(), sum.largest());
        if (report.podsKnown()) {
            number("largestAvailable", sum.resource(), sum.largestAvailable());
        }
        json.writeEndObject();
    }

    private void write(NodeAmounts node) throws IOException {
        json.writeStartObject();
        json.writeStringField("node", node.node());
        json.writeBooleanField("cordoned", node.cordoned());
        json.writeArrayFieldStart("resources");
        for (Amount amount : node.amounts()) {
            json.writeStartObject();
            amount(amount, amount.available());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void passedOver(String field, UnreadableObjects objects) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeNumberField("count", objects.current());
        json.writeArrayFieldStart("names");
        for (String name : objects.names()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void amount(Amount amount, long available) throws IOException {
        ResourceName resource = amount.resource();
        json.writeStringField("resource", resource.value());
        number("capacity", resource, amount.capacity());
        number("allocatable", resource, amount.allocatable());
        if (report.podsKnown()) {
            number("allocated", resource, amount.allocated());
            number("reserved", resource, amount.reserved());
            number("available", resource, available);
        }
    }

    private void number(String field, ResourceName resource, long amount) throws IOException {
        json.writeFieldName(field);
        if (resource.equals(ResourceName.CPU)) {
            json.writeNumber(cores(amount).toPlainString());
        } else {
            // A report has an amount for each resource of each node; most are whole.
            json.writeNumber(amount);
        }
    }

    /** An amount, of cpu in cores. */
    public static BigDecimal amountOf(ResourceName resource, long amount) {
        return resource.equals(ResourceName.CPU) ? cores(amount) : BigDecimal.valueOf(amount);
    }

    private static BigDecimal cores(long milliCpu) {
        return BigDecimal.valueOf(milliCpu, CPU_SCALE).stripTrailingZeros();
    }
}
