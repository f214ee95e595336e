package dev.sluice.kube.decode;

import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.admission.request.NamespaceLimitRangeRule.LimitScope;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a LimitRange in any order. It keeps only the rules for extended resources. */
final class LimitRangeBuilder {

    static final String KIND = "LimitRange";

    /**
     * The maximum number of rules of a LimitRange. Ordinary LimitRanges have a few rules, but users could write any
     * number.
     */
    private static final int MAX_RULES = 64;

    private static final List<String> QUANTITIES =
            List.of("default", "defaultRequest", "min", "max", "maxLimitRequestRatio");

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final ObjectHead.ObjectParts parts;
    private final List<NamespaceLimitRangeRule> rules = new ArrayList<>(0);

    LimitRangeBuilder(JsonCursor cursor, ObjectHead head) {
        this.cursor = cursor;
        this.head = head;
        this.parts = new ObjectHead.ObjectParts(KIND, head::metadata, this::spec, _ -> cursor.skip());
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    ObjectDecodeResult<DecodedObject<List<NamespaceLimitRangeRule>>> build() {
        return head.decoded(parts, head.meta().fullName(), () -> new DecodedObject<>(head.meta(), List.copyOf(rules)));
    }

    void spec(String field) throws IOException {
        if (field.equals("limits")) {
            cursor.array("spec.limits", this::item);
        } else {
            cursor.skip();
        }
    }

    private void item() throws IOException {
        String[] type = {""};
        Map<String, Map<ResourceName, Quantity>> read = new HashMap<>();
        cursor.object("spec.limits", field -> {
            if (field.equals("type")) {
                type[0] = cursor.name(field);
            } else if (QUANTITIES.contains(field)) {
                read.put(field, quantities(field));
            } else {
                cursor.skip();
            }
        });
        switch (type[0]) {
            case "Container" -> add(LimitScope.CONTAINER, read);
            case "Pod" -> add(LimitScope.POD, read);
            default -> {}
        }
    }

    private Map<ResourceName, Quantity> quantities(String what) throws IOException {
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

    private void add(LimitScope scope, Map<String, Map<ResourceName, Quantity>> read) {
        TreeSet<ResourceName> names = new TreeSet<>();
        read.values().forEach(quantities -> names.addAll(quantities.keySet()));
        for (ResourceName name : names) {
            if (rules.size() < MAX_RULES) {
                rules.add(new NamespaceLimitRangeRule(
                        scope,
                        name,
                        first(read, name, "min"),
                        first(read, name, "max"),
                        first(read, name, "maxLimitRequestRatio"),
                        scope == LimitScope.CONTAINER ? first(read, name, "default", "max") : null,
                        scope == LimitScope.CONTAINER
                                ? first(read, name, "defaultRequest", "default", "max", "min")
                                : null));
            }
        }
    }

    /**
     * Returns the value of the resource in the first of these fields that contains it; null if none does. The API
     * server uses the same rule to fill in missing values of a LimitRange ({@code SetDefaults_LimitRangeItem}).
     */
    private static @Nullable Quantity first(
            Map<String, Map<ResourceName, Quantity>> read, ResourceName name, String... fields) {
        for (String field : fields) {
            Quantity value = read.getOrDefault(field, Map.of()).get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
