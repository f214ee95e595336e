package dev.sluice.admission.patch;

import dev.sluice.admission.patch.PatchOperation.Members;
import dev.sluice.admission.patch.PatchOperation.Text;
import dev.sluice.admission.patch.PatchOperation.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of a JSON object, such as the annotations of a pod, after the operations of a patch. All members of the
 * object are strings. The rules for operations are those of the API server (evanphx/json-patch).
 *
 * @param <K> the type of the parsed keys
 * @param <V> the type of the parsed values
 */
final class PatchedMap<K, V> {

    private final JsonPointer place;
    private final Function<String, K> keys;
    private final Function<String, Optional<V>> values;
    /**
     * The members before the patch. It is null if the pod has no such object. The map belongs to the pod and is never
     * changed.
     */
    private @Nullable Map<K, V> before;

    /** The members that operations have written. The value of a removed member is null. */
    private Map<K, @Nullable V> written = Map.of();

    PatchedMap(
            JsonPointer place,
            @Nullable Map<K, V> before,
            Function<String, K> keys,
            Function<String, Optional<V>> values) {
        this.place = place;
        this.before = before;
        this.keys = keys;
        this.values = values;
    }

    /** Calls the action for each member that exists after the operations that were applied so far. */
    void forEach(BiConsumer<K, V> action) {
        if (before != null) {
            before.forEach((key, value) -> {
                if (!written.containsKey(key)) {
                    action.accept(key, value);
                }
            });
        }
        written.forEach((key, value) -> {
            if (value != null) {
                action.accept(key, value);
            }
        });
    }

    /**
     * Returns the value of {@code key} after the operations that were applied so far. Returns null if there is none.
     */
    @Nullable
    V get(K key) {
        if (written.containsKey(key)) {
            return written.get(key);
        }
        return before == null ? null : before.get(key);
    }

    /** Returns the members that operations have written. The value of a removed member is null. */
    Map<K, @Nullable V> written() {
        return written;
    }

    /** Returns true if the path leads to this object or to one of its members. */
    boolean isFor(JsonPointer path) {
        return place.equals(path.parent()) || place.equals(path);
    }

    /** Applies an operation. Returns the reason why the operation is invalid, or empty if it is valid. */
    Optional<String> apply(PatchOperation step) {
        if (!place.equals(step.path())) {
            return applyMember(step);
        }
        return step instanceof PatchOperation.Add(JsonPointer _, Value value)
                ? become(value)
                : Optional.of(place + " is to be changed as a whole");
    }

    /** Replaces the whole object. Returns the reason why {@code value} is invalid, or empty if it is valid. */
    Optional<String> become(Value value) {
        if (!(value instanceof Members(Map<String, Value> members))) {
            return Optional.of(place + " is not an object");
        }
        before = Map.of();
        written = Map.of();
        for (Map.Entry<String, Value> member : members.entrySet()) {
            Optional<String> problem = put(member.getKey(), member.getValue());
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<String> applyMember(PatchOperation step) {
        if (before == null) {
            return Optional.of("nothing holds " + step.path());
        }
        String key = step.path().lastKey();
        if (!(step instanceof PatchOperation.Add) && get(keys.apply(key)) == null) {
            // The API server would accept this operation, but RFC 6902 forbids it.
            return Optional.of("nothing is at " + step.path());
        }
        return switch (step) {
            case PatchOperation.Add(JsonPointer _, Value value) -> put(key, value);
            case PatchOperation.Replace(JsonPointer _, Value value) -> put(key, value);
            case PatchOperation.Remove _ -> {
                write(keys.apply(key), null);
                yield Optional.empty();
            }
        };
    }

    private Optional<String> put(String key, Value value) {
        if (value instanceof Text(String text)) {
            Optional<V> meant = values.apply(text);
            meant.ifPresent(good -> write(keys.apply(key), good));
            return meant.isPresent() ? Optional.empty() : Optional.of(key + " cannot be " + text);
        }
        return Optional.of(key + " cannot be an object");
    }

    private void write(K key, @Nullable V value) {
        if (written.isEmpty()) {
            written = new HashMap<>(4);
        }
        written.put(key, value);
    }
}
