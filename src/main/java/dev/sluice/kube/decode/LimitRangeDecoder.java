package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.LimitRangeRule;
import dev.sluice.admission.request.LimitRangeRule.LimitScope;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.client.ObjectDecoder;
import dev.sluice.kube.client.ObjectHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Decodes LimitRanges. It keeps only their rules for extended resources. */
public final class LimitRangeDecoder implements ObjectDecoder<StoredObject<List<LimitRangeRule>>> {

    /**
     * The maximum number of rules of a LimitRange. Ordinary LimitRanges have a few rules, but users could write any
     * number.
     */
    private static final int MAX_RULES = 64;

    private static final List<String> QUANTITIES =
            List.of("default", "defaultRequest", "min", "max", "maxLimitRequestRatio");

    @Override
    public DecodeResult<StoredObject<List<LimitRangeRule>>> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ObjectHead head = new ObjectHead(cursor, "");
        List<LimitRangeRule> rules = new ArrayList<>(0);
        ObjectHead.ObjectParts parts = new ObjectHead.ObjectParts(
                "LimitRange", head::metadata, field -> spec(field, cursor, rules), _ -> cursor.skip());
        cursor.object("the object", field -> head.fieldOf(field, parts));
        return head.decoded(parts, head.meta().fullName(), () -> new StoredObject<>(head.meta(), List.copyOf(rules)));
    }

    private static void spec(String field, JsonCursor cursor, List<LimitRangeRule> rules) throws IOException {
        if (field.equals("limits")) {
            cursor.array("spec.limits", () -> item(cursor, rules));
        } else {
            cursor.skip();
        }
    }

    private static void item(JsonCursor cursor, List<LimitRangeRule> rules) throws IOException {
        String[] type = {""};
        Map<String, Map<ResourceName, Quantity>> read = new HashMap<>();
        cursor.object("spec.limits", field -> {
            if (field.equals("type")) {
                type[0] = cursor.name(field);
            } else if (QUANTITIES.contains(field)) {
                read.put(field, quantities(field, cursor));
            } else {
                cursor.skip();
            }
        });
        switch (type[0]) {
            case "Container" -> add(LimitScope.CONTAINER, read, rules);
            case "Pod" -> add(LimitScope.POD, read, rules);
            default -> {}
        }
    }

    private static Map<ResourceName, Quantity> quantities(String what, JsonCursor cursor) throws IOException {
        Map<ResourceName, Quantity> read = new HashMap<>();
        cursor.object(what, key -> {
            Quantity quantity = cursor.quantity(what, key);
            ResourceName name = new ResourceName(key);
            if (quantity != null
                    && name.isExtended()
                    && key.length() <= JsonCursor.LONGEST
                    && read.size() < MAX_RULES) {
                read.put(name, quantity);
            }
        });
        return read;
    }

    private static void add(
            LimitScope scope, Map<String, Map<ResourceName, Quantity>> read, List<LimitRangeRule> rules) {
        TreeSet<ResourceName> names = new TreeSet<>();
        read.values().forEach(quantities -> names.addAll(quantities.keySet()));
        for (ResourceName name : names) {
            if (rules.size() < MAX_RULES) {
                rules.add(new LimitRangeRule(
                        scope,
                        name,
                        read.getOrDefault("min", Map.of()).get(name),
                        read.getOrDefault("max", Map.of()).get(name),
                        read.getOrDefault("maxLimitRequestRatio", Map.of()).get(name)));
            }
        }
    }
}
