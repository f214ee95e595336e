package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a JSON patch to short lines for people, with one line for each value: {@code + containers[0] limits
 * nvidia.com/gpu: 1}.
 */
public final class ExplainPatchText {

    private ExplainPatchText() {}

    /** Returns the lines for a JSON patch. */
    public static List<String> lines(JsonNode patch) {
        List<String> lines = new ArrayList<>();
        for (JsonNode operation : patch) {
            String place = place(JsonPointer.compile(operation.path("path").asText()));
            switch (operation.path("op").asText()) {
                case "add" -> value("+ " + place, operation.path("value"), lines);
                case "replace" -> value("= " + place, operation.path("value"), lines);
                default -> lines.add("- " + place);
            }
        }
        return lines;
    }

    private static void value(String place, JsonNode value, List<String> lines) {
        if (value.isObject()) {
            value.properties().forEach(member -> value(place + " " + member.getKey(), member.getValue(), lines));
        } else {
            lines.add(place + ": " + value.asText());
        }
    }

    private static String place(JsonPointer path) {
        StringBuilder place = new StringBuilder();
        for (JsonPointer rest = path; !rest.matches(); rest = rest.tail()) {
            String key = rest.getMatchingProperty();
            boolean obvious = key.equals("spec") || key.equals("resources") || key.equals("metadata");
            if (key.chars().allMatch(c -> c >= '0' && c <= '9')) {
                place.append('[').append(key).append(']');
            } else if (!obvious) {
                place.append(place.isEmpty() ? "" : " ").append(key);
            }
        }
        return place.toString();
    }
}
