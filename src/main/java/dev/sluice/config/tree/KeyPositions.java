package dev.sluice.config.tree;

import dev.sluice.config.tree.Problem.SourcePosition;
import java.util.Map;
import java.util.Optional;

/** Which keys were written, and where. */
public final class KeyPositions {

    private final Map<String, SourcePosition> positions;
    private final SourcePosition file;

    KeyPositions(Map<String, SourcePosition> places, SourcePosition otherwise) {
        this.positions = Map.copyOf(places);
        this.file = otherwise;
    }

    /** Where a key such as {@code tls.certificate} was given a value. */
    public Optional<SourcePosition> positionOf(String key) {
        return Optional.ofNullable(positions.get(key));
    }

    /**
     * A problem with the value of a key, at its place if it was written and at the file as a whole if it is default.
     */
    public Problem problem(String key, String fault, String fix) {
        return new Problem(positionOf(key).orElse(file), key, fault, fix);
    }

    @Override
    public String toString() {
        return positions.toString();
    }

    /** Nothing stands in the file. */
    public boolean isEmpty() {
        return positions.values().stream().allMatch(SourcePosition.ENVIRONMENT::equals);
    }
}
