package dev.sluice;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The part of JSON Schema that our own document uses: types, enums, items, members, and references within the document.
 *
 * @param document with the schemas that references name
 */
record JsonSchema(JsonNode document) {

    /** What of the value is not as the schema has it. */
    List<String> problems(JsonNode schema, JsonNode value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "$", problems);
        return problems;
    }

    private void check(JsonNode schema, JsonNode value, String at, List<String> problems) {
        if (schema.has("$ref")) {
            check(document.at(schema.path("$ref").asText().substring(1)), value, at, problems);
            return;
        }
        JsonNode type = schema.path("type");
        boolean fits = type.isArray()
                ? type.valueStream().anyMatch(one -> isOf(one.asText(), value))
                : isOf(type.asText(), value);
        if (!fits) {
            problems.add(at + " is " + value + ", no " + type);
        }
        if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
            problems.add(at + " is " + value + ", not one of " + schema.path("enum"));
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(schema.path("items"), value.get(i), at + "[" + i + "]", problems);
        }
        members(schema, value, at, problems);
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default -> false;
        };
    }

    private void members(JsonNode schema, JsonNode value, String at, List<String> problems) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                problems.add(at + " lacks " + required);
            }
        }
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            JsonNode known = schema.path("properties").path(member.getKey());
            JsonNode other = schema.path("additionalProperties");
            if (!known.isMissingNode()) {
                check(known, member.getValue(), at + "." + member.getKey(), problems);
            } else if (other.isObject()) {
                check(other, member.getValue(), at + "." + member.getKey(), problems);
            } else if (other.isBoolean()) {
                problems.add(at + " has " + member.getKey());
            }
        }
    }
}
