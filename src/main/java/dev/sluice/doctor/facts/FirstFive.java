package dev.sluice.doctor.facts;

import java.util.Collection;
import java.util.List;

/** Lists names in a sentence: the first five in alphabetical order, and how many more there are. */
public final class FirstFive {

    public static final int MOST = 5;

    private FirstFive() {}

    public static String of(Collection<String> names) {
        List<String> sorted = names.stream().sorted().distinct().toList();
        String first = String.join(", ", sorted.subList(0, Math.min(MOST, sorted.size())));
        return sorted.size() <= MOST ? first : first + " and " + (sorted.size() - MOST) + " more";
    }

    /** The same, after the word for nodes: {@code node a}, or {@code nodes a, b}. */
    public static String nodes(Collection<String> names) {
        return (names.stream().distinct().count() == 1 ? "node " : "nodes ") + of(names);
    }
}
