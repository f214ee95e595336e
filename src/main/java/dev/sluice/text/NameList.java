package dev.sluice.text;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists names in a sentence. Only the first names are written, because users can create many objects. */
public final class NameList {

    private NameList() {}

    /** Returns the first {@code most} names, and the number of the remaining names: {@code a, b and 3 more}. */
    public static String of(Collection<String> names, int most) {
        String first = names.stream().limit(most).collect(Collectors.joining(", "));
        return names.size() <= most ? first : first + " and " + CountText.number(names.size() - (long) most) + " more";
    }

    /**
     * Returns the first {@code most} names and the number of the remaining names, after a noun in the singular or
     * plural: {@code container a}, {@code containers a, b}.
     */
    public static String withNoun(String noun, Collection<String> names, int most) {
        return noun + (names.size() == 1 ? " " : "s ") + of(names, most);
    }
}
