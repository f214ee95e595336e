package dev.sluice.cluster.dra;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A version such as {@code 12.4.0-rc.1+build}. Versions are ordered by the rules of semver.org. */
record DeviceAttributeVersion(List<BigInteger> numbers, List<String> prerelease)
        implements Comparable<DeviceAttributeVersion> {

    /** The maximum length in characters that the API server allows. */
    private static final int LONGEST = 64;

    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final Pattern FORM = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER
            + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    static Optional<DeviceAttributeVersion> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > LONGEST || !form.matches()) {
            return Optional.empty();
        }
        List<BigInteger> numbers = Stream.of(form.group(1), form.group(2), form.group(3))
                .map(BigInteger::new)
                .toList();
        String prerelease = form.group(4);
        return Optional.of(new DeviceAttributeVersion(
                numbers, prerelease == null ? List.of() : List.of(prerelease.split("\\.", -1))));
    }

    @Override
    public int compareTo(DeviceAttributeVersion other) {
        for (int i = 0; i < numbers.size(); i++) {
            int order = numbers.get(i).compareTo(other.numbers.get(i));
            if (order != 0) {
                return order;
            }
        }
        if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
            return Boolean.compare(prerelease.isEmpty(), other.prerelease.isEmpty());
        }
        for (int i = 0; i < Math.min(prerelease.size(), other.prerelease.size()); i++) {
            int order = orderOfParts(prerelease.get(i), other.prerelease.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(prerelease.size(), other.prerelease.size());
    }

    /** Compares two parts of pre-release versions. Numbers come before words. */
    private static int orderOfParts(String one, String other) {
        boolean isNumber = DIGITS.matcher(one).matches();
        boolean otherIsNumber = DIGITS.matcher(other).matches();
        return isNumber && otherIsNumber
                ? new BigInteger(one).compareTo(new BigInteger(other))
                : isNumber == otherIsNumber ? one.compareTo(other) : isNumber ? -1 : 1;
    }
}
