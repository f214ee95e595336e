package dev.sluice.config;

import dev.sluice.config.Problem.SourcePosition;
import java.util.Map;
import java.util.Optional;

/** The positions of the keys that were written. */
public final class KeyPositions {

    private final Map<String, SourcePosition> positions;
    private final SourcePosition file;

    KeyPositions(Map<String, SourcePosition> places, SourcePosition otherwise) {
        this.positions = Map.copyOf(places);
        this.file = otherwise;
    }

    /** The position of a key such as {@code tls.certificate}; empty if it has its default. */
    public Optional<SourcePosition> positionOf(String key) {
        return Optional.ofNullable(positions.get(key));
    }

    /** A problem with the value of a key: at its position, or without a line if the key has its default. */
    public Problem problem(String key, String fault, String fix) {
        return new Problem(positionOf(key).orElse(file), key, fault, fix);
    }

    @Override
    public String toString() {
        return positions.toString();
    }

    /** True if the file has no keys. */
    public boolean isEmpty() {
        return positions.values().stream().allMatch(SourcePosition.ENVIRONMENT::equals);
    }
}
