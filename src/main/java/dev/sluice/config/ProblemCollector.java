package dev.sluice.config;

import dev.sluice.config.Problem.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the problems and warnings of one document, and records the positions of its keys. */
final class ProblemCollector {

    private final String source;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Map<String, SourcePosition> keyPositions = new HashMap<>();

    public ProblemCollector(String source) {
        this.source = source;
    }

    public void problem(int line, KeyPath key, String fault, String fix) {
        problem(new SourcePosition(source, line), key.toString(), fault, fix);
    }

    public void problem(SourcePosition place, String key, String fault, String fix) {
        problems.add(new Problem(place, key, fault, fix));
    }

    public void warning(int line, KeyPath key, String fault, String fix) {
        warnings.add(new Problem(new SourcePosition(source, line), key.toString(), fault, fix));
    }

    public void recordKey(KeyPath key, int line) {
        keyPositions.put(key.toString(), new SourcePosition(source, line));
    }

    public void recordKey(String key, SourcePosition place) {
        keyPositions.put(key, place);
    }

    public KeyPositions keyPositions() {
        return new KeyPositions(keyPositions, new SourcePosition(source, SourcePosition.NO_LINE));
    }

    public boolean anyProblem() {
        return !problems.isEmpty();
    }

    public boolean anyProblemWith(String key) {
        return problems.stream().anyMatch(problem -> problem.key().equals(key));
    }

    public List<Problem> problems() {
        return problems.stream().sorted(Problem.IN_ORDER).toList();
    }

    public List<Problem> warnings() {
        return warnings.stream().sorted(Problem.IN_ORDER).toList();
    }
}
