package dev.sluice.config.tree;

import dev.sluice.config.tree.Problem.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one run of the loader has found so far. Owned by that run. */
public final class Findings {

    private final String source;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Map<String, Place> written = new HashMap<>();

    public Findings(String source) {
        this.source = source;
    }

    public void problem(int line, KeyPath key, String fault, String fix) {
        problem(new Place(source, line), key.toString(), fault, fix);
    }

    public void problem(Place place, String key, String fault, String fix) {
        problems.add(new Problem(place, key, fault, fix));
    }

    public void warning(int line, KeyPath key, String fault, String fix) {
        warnings.add(new Problem(new Place(source, line), key.toString(), fault, fix));
    }

    public void wrote(KeyPath key, int line) {
        written.put(key.toString(), new Place(source, line));
    }

    public void wrote(String key, Place place) {
        written.put(key, place);
    }

    public WrittenKeys written() {
        return new WrittenKeys(written, new Place(source, Place.NO_LINE));
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
