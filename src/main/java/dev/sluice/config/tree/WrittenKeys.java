package dev.sluice.config.tree;

import dev.sluice.config.tree.Problem.SourcePosition;
import java.util.Map;
import java.util.Optional;

/** Which keys were written, and where. */
public final class WrittenKeys {

    private final Map<String, SourcePosition> places;
    private final SourcePosition otherwise;

    WrittenKeys(Map<String, SourcePosition> places, SourcePosition otherwise) {
        this.places = Map.copyOf(places);
        this.otherwise = otherwise;
    }

    /** Where a key such as {@code tls.certificate} was given a value. */
    public Optional<SourcePosition> placeOf(String key) {
        return Optional.ofNullable(places.get(key));
    }

    /**
     * A problem with the value of a key, at its place if it was written and at the file as a whole if it is default.
     */
    public Problem problem(String key, String fault, String fix) {
        return new Problem(placeOf(key).orElse(otherwise), key, fault, fix);
    }

    @Override
    public String toString() {
        return places.toString();
    }

    /** Nothing stands in the file. */
    public boolean isNone() {
        return places.values().stream().allMatch(SourcePosition.ENVIRONMENT::equals);
    }
}
