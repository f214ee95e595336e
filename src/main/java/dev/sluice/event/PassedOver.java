package dev.sluice.event;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Objects of one kind that the source told and that could not be read. Of an object that was readable before, what was
 * known last still counts; of any other nothing does.
 *
 * @param total how often one was passed over since the start
 * @param now how many there are now: by the last list, and what was told since
 * @param names some of those that there are now, printable, at most {@link #MOST_NAMES}
 */
public record PassedOver(long total, long now, List<String> names) {

    public static final PassedOver NONE = new PassedOver(0, 0, List.of());

    /** So many are enough to find out what they have in common. */
    public static final int MOST_NAMES = 5;

    /** A namespace has at most 63 letters and a pod 253. */
    private static final int LONGEST_NAME = 320;

    public PassedOver {
        names = names.stream().limit(MOST_NAMES).map(PassedOver::printable).toList();
    }

    /** The names are a stranger's words, and are shown in a log, on a page and on a terminal. */
    public static String printable(String name) {
        return name.codePoints()
                .limit(LONGEST_NAME)
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
    public static PassedOver of(List<String> names) {
        return new PassedOver(names.size(), names.size(), names);
    }

    /**
     * "2 pods could not be read and are not counted: team-a/x, team-b/y"; empty where there are none.
     *
     * @param noun what one of them is called
     */
    public String sentence(String noun) {
        if (now == 0) {
            return "";
        }
        String which = names.isEmpty() ? "" : ": " + String.join(", ", names) + (now > names.size() ? ", ..." : "");
        return (now == 1
                        ? "1 " + noun + " could not be read and is not counted"
                        : now + " " + noun + "s could not be read and are not counted")
                + which;
    }
}
