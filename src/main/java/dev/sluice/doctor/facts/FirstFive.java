package dev.sluice.doctor.facts;

import dev.sluice.text.Counted;
import dev.sluice.text.NameList;
import java.util.Collection;
import java.util.List;

/** Lists names in a sentence: the first five in alphabetical order, and how many more there are. */
public final class FirstFive {

    public static final int MOST = 5;

    private FirstFive() {}

    public static String of(Collection<String> names) {
        List<String> sorted = names.stream().sorted().distinct().toList();
        return NameList.of(sorted, MOST);
    }

    /** The same, after the word for nodes: {@code node a}, or {@code nodes a, b}. */
    public static String nodes(Collection<String> names) {
        return Counted.noun(names.stream().distinct().count(), "node") + " " + of(names);
    }
}
