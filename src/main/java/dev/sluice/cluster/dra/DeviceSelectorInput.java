package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The input of a CEL expression: the variable {@code device}. It contains everything that an expression can read, so an
 * expression has the same value for devices with equal inputs.
 *
 * @param shared true if several claims can use the device at the same time
 */
record DeviceSelectorInput(
        String driver, Map<String, AttributeValue> attributes, Map<String, Quantity> capacity, boolean shared) {

    static DeviceSelectorInput of(String driver, Device device) {
        return new DeviceSelectorInput(driver, device.attributes(), device.capacity(), device.shared());
    }

    DeviceSelectorValue attribute(String domain, String name) {
        @Nullable AttributeValue value = attributes.get(key(attributes.keySet(), domain, name));
        return value == null ? DeviceSelectorValue.unknown() : DeviceSelectorValue.of(value);
    }

    DeviceSelectorValue capacity(String domain, String name) {
        return Optional.<Quantity>ofNullable(capacity.get(key(capacity.keySet(), domain, name)))
                .<DeviceSelectorValue>map(DeviceSelectorValue.QuantityValue::new)
                .orElse(DeviceSelectorValue.unknown());
    }

    boolean hasDomain(DeviceSelectorValue.FieldKind kind, String domain) {
        return names(kind).stream()
                .anyMatch(name -> name.indexOf('/') < 0 ? domain.equals(driver) : name.startsWith(domain + "/"));
    }

    boolean has(DeviceSelectorValue.FieldKind kind, String domain, String name) {
        return names(kind).contains(key(names(kind), domain, name));
    }

    private Set<String> names(DeviceSelectorValue.FieldKind kind) {
        return switch (kind) {
            case ATTRIBUTES -> attributes.keySet();
            case CAPACITY -> capacity.keySet();
        };
    }

    /**
     * Returns the key under which an attribute or a capacity is stored. If the domain is the driver's own domain, the
     * key may be the name alone.
     */
    private String key(Set<String> names, String domain, String name) {
        String full = domain + "/" + name;
        return domain.equals(driver) && !names.contains(full) ? name : full;
    }
}
