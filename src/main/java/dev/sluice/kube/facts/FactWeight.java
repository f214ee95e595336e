package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.quantity.Amounts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Estimates the memory that facts take, in bytes. A value that several facts share counts several times. */
final class FactWeight {

    /** The bytes of an object, or of an entry of a list or map. */
    private static final long OBJECT = 32;

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
            case String text -> OBJECT + 2L * text.length();
            case Map<?, ?> map -> ofAll(map.keySet()) + ofAll(map.values());
            case Collection<?> values -> ofAll(values);
            case Optional<?> optional -> of(optional.orElse(null));
            case Amounts amounts -> amounts.weight();
            case NodeConstraints constraints -> OBJECT + constraints.weight();
            case NodeRequirement requirement -> OBJECT + of(requirement.key()) + ofAll(requirement.values());
            case Record whole -> ofRecord(whole);
            default -> OBJECT;
        };
    }

    private static long ofAll(Collection<?> values) {
        long weight = OBJECT;
        for (Object value : values) {
            weight += OBJECT + of(value);
        }
        return weight;
    }

    private static long ofRecord(Record whole) {
        long weight = OBJECT;
        for (Method accessor : ACCESSORS.get(whole.getClass())) {
            try {
                weight += of(accessor.invoke(whole));
            } catch (IllegalAccessException | InvocationTargetException impossible) {
                throw new IllegalStateException("a record hides a component", impossible);
            }
        }
        return weight;
    }
}
