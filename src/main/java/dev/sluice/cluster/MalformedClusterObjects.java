package dev.sluice.cluster;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.List;

/**
 * The malformed objects of one kind. If an object was valid before, its last valid state stays in use. Otherwise the
 * object is ignored.
 *
 * @param total how often an object was malformed since the start
 * @param current the number of objects that are malformed now, according to the last list and the watch since then
 * @param names the names of some objects that are malformed now, at most {@link #MAX_NAMES}; all characters are
 *     printable
 */
public record MalformedClusterObjects(long total, long current, List<String> names) {

    public static final MalformedClusterObjects NONE = new MalformedClusterObjects(0, 0, List.of());

    /** The maximum number of names. A few names are enough to show what the objects have in common. */
    public static final int MAX_NAMES = 5;

    /**
     * The maximum length of a name in characters. A namespace has at most 63 characters and the name of a pod at most
     * 253.
     */
    private static final int MAX_NAME_LENGTH = 320;

    public MalformedClusterObjects {
        names = names.stream()
                .limit(MAX_NAMES)
                .map(MalformedClusterObjects::printable)
                .toList();
    }

    /**
     * Returns the name with unsafe characters escaped. Users choose the names, which appear in the log, on web pages
     * and on terminals.
     */
    public static String printable(String name) {
        return SafeText.line(ShortText.of(name, MAX_NAME_LENGTH));
    }

    /** Returns the malformed objects of one list. */
    public static MalformedClusterObjects of(List<String> names) {
        return new MalformedClusterObjects(names.size(), names.size(), names);
    }

    /**
     * Returns a sentence such as "2 pods could not be read and are not counted: team-a/x, team-b/y". Returns an empty
     * string if no object is malformed now.
     *
     * @param noun the word for one object
     */
    public String sentence(String noun) {
        if (current == 0) {
            return "";
        }
        String which = names.isEmpty() ? "" : ": " + String.join(", ", names) + (current > names.size() ? ", ..." : "");
        return (current == 1
                        ? "1 " + noun + " could not be read and is not counted"
                        : current + " " + noun + "s could not be read and are not counted")
                + which;
    }
}
