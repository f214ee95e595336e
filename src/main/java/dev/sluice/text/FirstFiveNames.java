package dev.sluice.text;

import java.util.Collection;
import java.util.List;

/**
 * Lists names in a sentence: the first five names in alphabetical order, and the number of names that were left out.
 */
public final class FirstFiveNames {

    public static final int MOST = 5;

    private FirstFiveNames() {}

    public static String of(Collection<String> names) {
        List<String> sorted = names.stream().sorted().distinct().toList();
        return NameList.of(sorted, MOST);
    }

    /** Returns the word {@code node} or {@code nodes}, followed by the names, for example {@code nodes a, b}. */
    public static String nodes(Collection<String> names) {
        return CountText.noun(names.stream().distinct().count(), "node") + " " + of(names);
    }
}
