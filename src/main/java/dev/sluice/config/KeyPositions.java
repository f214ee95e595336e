package dev.sluice.config;

import dev.sluice.config.ConfigProblem.SourcePosition;
import java.util.Map;
import java.util.Optional;

/** The positions of the keys in the file that the user wrote. */
public final class KeyPositions {

    private final Map<String, SourcePosition> positions;
    private final SourcePosition file;

    KeyPositions(Map<String, SourcePosition> places, SourcePosition otherwise) {
        this.positions = Map.copyOf(places);
        this.file = otherwise;
    }

    /**
     * Returns the position of a key such as {@code tls.certificate}. Returns empty if the file does not have the key.
     */
    public Optional<SourcePosition> positionOf(String key) {
        return Optional.ofNullable(positions.get(key));
    }

    /** Creates a problem with the value of a key. The problem has no line if the file does not have the key. */
    public ConfigProblem problem(String key, String fault, String fix) {
        return new ConfigProblem(positionOf(key).orElse(file), key, fault, fix);
    }

    @Override
    public String toString() {
        return positions.toString();
    }

    /** Returns true if the file has no keys. */
    public boolean isEmpty() {
        return positions.values().stream().allMatch(SourcePosition.ENVIRONMENT::equals);
    }
}
