package dev.sluice.config;

import dev.sluice.config.ConfigProblem.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the problems and warnings of one configuration, and records the positions of its keys. */
final class ProblemCollector {

    private final String source;
    private final List<ConfigProblem> problems;
    private final List<ConfigProblem> warnings;
    private final Map<String, SourcePosition> keyPositions;

    /**
     * Creates a collector.
     *
     * @param source the name of the file or directory, which messages show as the place of a problem
     */
    public ProblemCollector(String source) {
        this(source, new ArrayList<>(), new ArrayList<>(), new HashMap<>());
    }

    private ProblemCollector(
            String source,
            List<ConfigProblem> problems,
            List<ConfigProblem> warnings,
            Map<String, SourcePosition> keyPositions) {
        this.source = source;
        this.problems = problems;
        this.warnings = warnings;
        this.keyPositions = keyPositions;
    }

    /**
     * Returns a collector for another file. It reports positions in that file, and adds its problems to this collector.
     */
    public ProblemCollector in(String otherSource) {
        return new ProblemCollector(otherSource, problems, warnings, keyPositions);
    }

    /** Returns the position of a line of this collector's file. */
    public SourcePosition at(int line) {
        return new SourcePosition(source, line);
    }

    /** Returns the position of the file or directory as a whole. */
    public SourcePosition document() {
        return at(SourcePosition.NO_LINE);
    }

    public void problem(int line, KeyPath key, String fault, String fix) {
        problem(at(line), key, fault, fix);
    }

    public void problem(SourcePosition position, KeyPath key, String fault, String fix) {
        problem(position, key.toString(), fault, fix);
    }

    public void problem(SourcePosition position, String key, String fault, String fix) {
        problems.add(new ConfigProblem(position, key, fault, fix));
    }

    public void warning(SourcePosition position, KeyPath key, String fault, String fix) {
        warnings.add(new ConfigProblem(position, key.toString(), fault, fix));
    }

    public void recordKey(KeyPath key, SourcePosition position) {
        recordKey(key.toString(), position);
    }

    public void recordKey(String key, SourcePosition position) {
        keyPositions.put(key, position);
    }

    public KeyPositions keyPositions() {
        return new KeyPositions(keyPositions, document());
    }

    public boolean anyProblem() {
        return !problems.isEmpty();
    }

    public boolean anyProblemWith(String key) {
        return problems.stream().anyMatch(problem -> problem.key().equals(key));
    }

    public List<ConfigProblem> problems() {
        return problems.stream().sorted(ConfigProblem.IN_ORDER).toList();
    }

    public List<ConfigProblem> warnings() {
        return warnings.stream().sorted(ConfigProblem.IN_ORDER).toList();
    }
}
