package dev.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** Describes which devices the containers of a pod ask for. */
final class DemoPod {

    private DemoPod() {}

    /** For example {@code train: 1 nvidia.com/gpu}. */
    static List<String> asks(JsonNode pod) {
        List<String> asks = new ArrayList<>();
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                List<String> devices = new ArrayList<>();
                container.path("resources").path("limits").properties().forEach(limit -> {
                    if (new ResourceName(limit.getKey()).isExtended()) {
                        devices.add(limit.getValue().asText() + " " + limit.getKey());
                    }
                });
                if (!devices.isEmpty()) {
                    asks.add(container.path("name").asText() + ": " + String.join(", ", devices));
                }
            }
        }
        return asks;
    }
}
