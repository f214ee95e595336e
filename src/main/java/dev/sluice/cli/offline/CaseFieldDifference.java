package dev.sluice.cli.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A field whose value in the decision is not the expected one.
 *
 * @param expected the expected values; empty if nothing is expected
 * @param actual the actual values
 */
record CaseFieldDifference(String field, List<String> expected, List<String> actual) {

    CaseFieldDifference {
        expected = List.copyOf(expected);
        actual = List.copyOf(actual);
    }

    static CaseFieldDifference of(String field, String expected, String actual) {
        return new CaseFieldDifference(field, List.of(expected), List.of(actual));
    }

    String sentence() {
        if (actual.isEmpty()) {
            return field + ": " + shown(expected) + areExpected(expected) + ", but is missing";
        }
        if (expected.isEmpty()) {
            return field + ": " + shown(actual) + (actual.size() == 1 ? " is" : " are") + " not expected";
        }
        return field + ": " + shown(expected) + areExpected(expected)
                + (expected.size() + actual.size() == 2 ? ", but it is " : ", but there is ") + shown(actual);
    }

    private static String areExpected(List<String> values) {
        return values.size() == 1 ? " is expected" : " are expected";
    }

    private static String shown(List<String> values) {
        return values.stream().map(value -> value.isEmpty() ? "nothing" : value).collect(Collectors.joining(" and "));
    }

    /** Returns the values of one list that are missing in the other list. */
    static List<String> missing(List<String> values, List<String> others) {
        List<String> left = new ArrayList<>(values);
        others.forEach(left::remove);
        return left;
    }
}
