package dev.sluice.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.AllocationReport.By;

/** Encodes the report as {@code sluice capacity --by namespace|pod -o json} shows it. */
public final class AllocationEncoder {

    private static final ObjectMapper JSON = new ObjectMapper();

    private AllocationEncoder() {}

    /** {@code src/docs/capacity-json.md} documents each member. */
    public static String encode(AllocationReport report) {
        ObjectNode document = JSON.createObjectNode();
        var entries = document.putArray("allocations");
        for (AllocationEntry entry : report.entries()) {
            ObjectNode object = entries.addObject();
            int slash = entry.owner().indexOf('/');
            object.put("namespace", slash < 0 ? entry.owner() : entry.owner().substring(0, slash));
            if (report.by() == By.POD) {
                object.put("pod", entry.owner().substring(slash + 1));
            }
            object.put("resource", entry.resource().value()).put("pods", entry.pods());
            object.put("allocated", CapacityEncoder.amountOf(entry.resource(), entry.allocated()));
            object.put("waiting", CapacityEncoder.amountOf(entry.resource(), entry.waiting()));
            object.put("allocatable", CapacityEncoder.amountOf(entry.resource(), entry.allocatable()));
            object.put("percent", entry.percent());
        }
        return document.toString();
    }
}
