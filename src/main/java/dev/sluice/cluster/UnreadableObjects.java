package dev.sluice.cluster;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.List;

/**
 * Objects of one kind that could not be read. The last readable state of such an object still counts; one that was
 * never readable does not count.
 *
 * @param total how often an object could not be read since the start
 * @param current how many there are now, by the last list and the watch since
 * @param names some of the current ones, printable, at most {@link #MAX_NAMES}
 */
public record UnreadableObjects(long total, long current, List<String> names) {

    public static final UnreadableObjects NONE = new UnreadableObjects(0, 0, List.of());

    /** So many names show what the objects have in common. */
    public static final int MAX_NAMES = 5;

    /** A namespace has at most 63 letters and a pod 253. */
    private static final int MAX_NAME_LENGTH = 320;

    public UnreadableObjects {
        names = names.stream()
                .limit(MAX_NAMES)
                .map(UnreadableObjects::printable)
                .toList();
    }

    /** Anybody who may create objects chooses the names, and they are shown in a log, on a page and on a terminal. */
    public static String printable(String name) {
        return SafeText.line(ShortText.of(name, MAX_NAME_LENGTH));
    }

    /** The unreadable objects of one list. */
    public static UnreadableObjects of(List<String> names) {
        return new UnreadableObjects(names.size(), names.size(), names);
    }

    /**
     * "2 pods could not be read and are not counted: team-a/x, team-b/y"; empty where there are none.
     *
     * @param noun what one of them is called
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
