package dev.sluice.event;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Objects of one kind that the source told and that could not be read. Of an object that was readable before, what was
 * known last still counts; of any other nothing does.
 *
 * @param total how often one was passed over since the start
 * @param current how many there are now, by the last list and the watch since
 * @param names some of those that there are now, printable, at most {@link #MAX_NAMES}
 */
public record UnreadableObjects(long total, long current, List<String> names) {

    public static final UnreadableObjects NONE = new UnreadableObjects(0, 0, List.of());

    /** So many are enough to find out what they have in common. */
    public static final int MAX_NAMES = 5;

    /** A namespace has at most 63 letters and a pod 253. */
    private static final int MAX_NAME_LENGTH = 320;

    public UnreadableObjects {
        names = names.stream()
                .limit(MAX_NAMES)
                .map(UnreadableObjects::printable)
                .toList();
    }

    /** The names are a stranger's words, and are shown in a log, on a page and on a terminal. */
    public static String printable(String name) {
        return name.codePoints()
                .limit(MAX_NAME_LENGTH)
                .map(point -> isPrintable(point) ? point : '?')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> false;
            default -> true;
        };
    }

    /** Some more of these objects, as they were once: how often they were told is not known. */
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
