package dev.sluice.cli.policytest;

import java.util.ArrayList;
import java.util.List;

/**
 * A field in which a decision is not as expected.
 *
 * @param expected the expected values; empty if nothing is expected
 * @param actual the actual values
 */
record FieldDifference(String field, List<String> expected, List<String> actual) {

    FieldDifference {
        expected = List.copyOf(expected);
        actual = List.copyOf(actual);
    }

    static FieldDifference of(String field, String expected, String actual) {
        return new FieldDifference(field, List.of(expected), List.of(actual));
    }

    /** Returns the values of one list that the other one lacks. */
    static List<String> missing(List<String> values, List<String> others) {
        List<String> left = new ArrayList<>(values);
        others.forEach(left::remove);
        return left;
    }
}
