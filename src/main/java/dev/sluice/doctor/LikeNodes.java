package dev.sluice.doctor;

import dev.sluice.text.FirstFiveNames;
import java.util.Collection;
import java.util.regex.Pattern;

/** Joins equal texts about several nodes into one text, because the same fault often affects several nodes. */
final class LikeNodes {

    /**
     * Matches the end of the name of a pod that a DaemonSet has created: five characters of the alphabet of
     * {@code k8s.io/apimachinery/pkg/util/rand}, after the namespace and the name of the DaemonSet.
     */
    private static final Pattern SUFFIX =
            Pattern.compile("(/[a-z0-9.-]{1,253})-[bcdfghjklmnpqrstvwxz2456789]{5}(?![A-Za-z0-9-])");

    private LikeNodes() {}

    /** Returns the text without the name of the node, and without the random suffixes in the names of pods. */
    static String withoutNames(String text, String node) {
        String anyNode = Pattern.compile("(?<![A-Za-z0-9.])" + Pattern.quote(node) + "(?![A-Za-z0-9-])")
                .matcher(text)
                .replaceAll("");
        return SUFFIX.matcher(anyNode).replaceAll("$1");
    }

    /** Returns the text about one node, followed by a sentence which says that the same holds for the other nodes. */
    static String sentences(String text, Collection<String> others) {
        return others.isEmpty() ? text : text + " The same holds for " + FirstFiveNames.nodes(others) + ".";
    }
}
