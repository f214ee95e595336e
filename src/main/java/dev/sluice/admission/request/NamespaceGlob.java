package dev.sluice.admission.request;

/**
 * A pattern for whole names of namespaces, in which {@code *} matches any characters and {@code ?} matches one
 * character.
 */
public record NamespaceGlob(String pattern) {

    public boolean matches(String namespace) {
        int text = 0;
        int glob = 0;
        int star = -1;
        int resume = 0;
        // If a character does not match, the last star takes one more character, and the comparison starts again after
        // it.
        while (text < namespace.length()) {
            if (glob < pattern.length() && matchesOne(glob, namespace.charAt(text))) {
                glob++;
                text++;
            } else if (glob < pattern.length() && pattern.charAt(glob) == '*') {
                star = glob++;
                resume = text;
            } else if (star >= 0) {
                glob = star + 1;
                text = ++resume;
            } else {
                return false;
            }
        }
        return pattern.substring(glob).chars().allMatch(c -> c == '*');
    }

    private boolean matchesOne(int at, char actual) {
        char wanted = pattern.charAt(at);
        return wanted != '*' && (wanted == '?' || wanted == actual);
    }
}
