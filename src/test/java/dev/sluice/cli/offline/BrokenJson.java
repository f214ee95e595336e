package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Legal JSON in which some values are of another type than anybody expects. */
public record BrokenJson(Random random) {

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "7",
            "-1",
            "1e300",
            "\"\"",
            "\"x\"",
            "\"\\u0000\\u001b[31m\"",
            "[]",
            "{}",
            "[[]]",
            "[null]",
            "{\"\":{}}",
            "\"2026-13-40T00:00:00Z\"",
            "99999999999999999999999");
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Place(JsonNode holder, String key, int index) {}

    /** A copy in which one to three values are replaced or removed. */
    public JsonNode of(JsonNode sound) throws IOException {
        JsonNode copy = sound.deepCopy();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            List<Place> places = new ArrayList<>();
            collect(copy, places);
            if (places.isEmpty()) {
                return copy;
            }
            Place place = places.get(random.nextInt(places.size()));
            JsonNode value = JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
            if (place.holder() instanceof ObjectNode object) {
                if (random.nextInt(5) == 0) {
                    object.remove(place.key());
                } else {
                    object.set(place.key(), value);
                }
            } else {
                ((ArrayNode) place.holder()).set(place.index(), value);
            }
        }
        return copy;
    }

    private static void collect(JsonNode node, List<Place> places) {
        node.properties().forEach(member -> {
            places.add(new Place(node, member.getKey(), 0));
            collect(member.getValue(), places);
        });
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                places.add(new Place(node, "", i));
                collect(node.get(i), places);
            }
        }
    }
}
