package dev.sluice.config;

import dev.sluice.config.Problem.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one run of the loader has found so far. Owned by that run. */
final class Findings {

    private final String source;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Map<String, Place> written = new HashMap<>();

    Findings(String source) {
        this.source = source;
    }

    void problem(int line, KeyPath key, String fault, String fix) {
        problem(new Place(source, line), key.toString(), fault, fix);
    }

    void problem(Place place, String key, String fault, String fix) {
        problems.add(new Problem(place, key, fault, fix));
    }

    void warning(int line, KeyPath key, String fault, String fix) {
        warnings.add(new Problem(new Place(source, line), key.toString(), fault, fix));
    }

    void wrote(KeyPath key, int line) {
        written.put(key.toString(), new Place(source, line));
    }

    void wrote(String key, Place place) {
        written.put(key, place);
    }

    WrittenKeys written() {
        return new WrittenKeys(written, new Place(source, Place.NO_LINE));
    }

    boolean anyProblem() {
        return !problems.isEmpty();
    }

    boolean anyProblemWith(String key) {
        return problems.stream().anyMatch(problem -> problem.key().equals(key));
    }

    List<Problem> problems() {
        return problems.stream().sorted(Problem.IN_ORDER).toList();
    }

    List<Problem> warnings() {
        return warnings.stream().sorted(Problem.IN_ORDER).toList();
    }
}
