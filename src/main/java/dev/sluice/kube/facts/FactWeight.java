package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the memory that facts take in the JVM, in bytes. A value that several facts share is counted once for each
 * fact.
 */
final class FactWeight {

    /** The bytes of an object with few fields. */
    private static final long OBJECT = 32;

    private static final long REFERENCE = 8;

    /** The bytes of an entry of a hash table, including its slot in the table. */
    private static final long ENTRY = 48;

    /** The bytes of a string and its array, without the bytes of the characters. */
    private static final long TEXT = 48;

    /** The bytes of a quantity and its number, without those of its text. */
    private static final long QUANTITY = 96;

    private static final int LAST_OF_LATIN_1 = 0xff;

    private static final ClassValue<Method[]> ACCESSORS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            return Stream.of(type.getRecordComponents())
                    .filter(component -> !component.getType().isPrimitive())
                    .map(RecordComponent::getAccessor)
                    .toArray(Method[]::new);
        }
    };

    private FactWeight() {}

    static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case String text -> of(text);
            case Map<?, ?> map -> ENTRY * map.size() + ofAll(map.keySet()) + ofAll(map.values());
            case Collection<?> values -> ofAll(values);
            case Optional<?> optional -> of(optional.orElse(null));
            case Quantity quantity -> of(quantity);
            case Amounts amounts -> OBJECT + amounts.weight();
            // The method weight() counts one byte for each character, but the JVM may use two bytes.
            case NodeConstraints constraints -> OBJECT + 2 * constraints.weight();
            case NodeRequirement requirement ->
                2 * OBJECT
                        + REFERENCE * requirement.values().size()
                        + of(requirement.key())
                        + ofAll(requirement.values());
            case Record whole -> ofRecord(whole);
            default -> OBJECT;
        };
    }

    /**
     * Returns the bytes of a text. Like the JVM, it counts two bytes for each character if any character is outside
     * Latin-1.
     */
    private static long of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > LAST_OF_LATIN_1) {
                return TEXT + 2L * text.length();
            }
        }
        return TEXT + text.length();
    }

    /**
     * Returns the bytes of a quantity. A quantity of one digit takes no memory of its own, because all facts share it.
     */
    private static long of(Quantity quantity) {
        String text = quantity.toString();
        return text.length() == 1 ? 0 : QUANTITY + of(text);
    }

    private static long ofAll(Collection<?> values) {
        long weight = OBJECT;
        for (Object value : values) {
            weight += REFERENCE + of(value);
        }
        return weight;
    }

    private static long ofRecord(Record whole) {
        long weight = OBJECT;
        for (Method accessor : ACCESSORS.get(whole.getClass())) {
            try {
                weight += REFERENCE + of(accessor.invoke(whole));
            } catch (IllegalAccessException | InvocationTargetException impossible) {
                throw new IllegalStateException("a record hides a component", impossible);
            }
        }
        return weight;
    }
}
