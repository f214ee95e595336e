package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.Quantity;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The input of a CEL expression: the variable {@code device}. */
record DeviceSelectorInput(String driver, Device device) {

    DeviceSelectorValue attribute(String domain, String name) {
        @Nullable
        AttributeValue value = device.attributes().get(key(device.attributes().keySet(), domain, name));
        return value == null ? DeviceSelectorValue.unknown() : DeviceSelectorValue.of(value);
    }

    DeviceSelectorValue capacity(String domain, String name) {
        return Optional.<Quantity>ofNullable(
                        device.capacity().get(key(device.capacity().keySet(), domain, name)))
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
            case ATTRIBUTES -> device.attributes().keySet();
            case CAPACITY -> device.capacity().keySet();
        };
    }

    /**
     * Returns the key of an attribute or a capacity among {@code names}. A key without a domain belongs to the driver.
     */
    private String key(Set<String> names, String domain, String name) {
        String full = domain + "/" + name;
        return domain.equals(driver) && !names.contains(full) ? name : full;
    }
}
