package dev.sluice.text;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists names in a sentence. There may be any number of them, so only some are written. */
public final class NameList {

    private NameList() {}

    /** The first {@code most} names, and how many more there are: {@code a, b and 3 more}. */
    public static String of(Collection<String> names, int most) {
        String first = names.stream().limit(most).collect(Collectors.joining(", "));
        return names.size() <= most ? first : first + " and " + Counted.number(names.size() - (long) most) + " more";
    }

    /** The same after the word for one or several: {@code container a}, {@code containers a, b}. */
    public static String withNoun(String noun, Collection<String> names, int most) {
        return noun + (names.size() == 1 ? " " : "s ") + of(names, most);
    }
}
