package dev.sluice.admission.request;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes policies that differ from another policy in a few switches. */
public final class PolicySwitches {

    private PolicySwitches() {}

    /** Returns the policy with these values in place of its own. Each value has the type of one component. */
    public static Policy with(Policy base, Object... values) {
        RecordComponent[] components = Policy.class.getRecordComponents();
        List<Object> changes = new ArrayList<>(List.of(values));
        Object[] all = new Object[components.length];
        try {
            for (int i = 0; i < all.length; i++) {
                Class<?> type = components[i].getType();
                all[i] = components[i].getAccessor().invoke(base);
                for (Object change : List.copyOf(changes)) {
                    if (type.isInstance(change)) {
                        all[i] = change;
                        changes.remove(change);
                    }
                }
            }
            if (!changes.isEmpty()) {
                throw new IllegalArgumentException("a policy has no component for " + changes);
            }
            Constructor<Policy> constructor = Policy.class.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(all);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the policy cannot be copied", e);
        }
    }
}
