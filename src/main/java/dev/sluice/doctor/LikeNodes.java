package dev.sluice.doctor;

import dev.sluice.text.FirstFiveNames;
import java.util.Collection;
import java.util.regex.Pattern;

/** Tells once what holds for several nodes, because a fault seldom has one node only. */
final class LikeNodes {

    /**
     * Matches the end of the name of a pod that a DaemonSet has created: five characters of the alphabet of
     * {@code k8s.io/apimachinery/pkg/util/rand}, after the namespace and the name of the DaemonSet.
     */
    private static final Pattern SUFFIX =
            Pattern.compile("(/[a-z0-9.-]{1,253})-[bcdfghjklmnpqrstvwxz2456789]{5}(?![A-Za-z0-9-])");

    private LikeNodes() {}

    /** Returns the text without the name of the node, and without the suffixes of the names of its pods. */
    static String withoutNames(String text, String node) {
        String anyNode = Pattern.compile("(?<![A-Za-z0-9.])" + Pattern.quote(node) + "(?![A-Za-z0-9-])")
                .matcher(text)
                .replaceAll("");
        return SUFFIX.matcher(anyNode).replaceAll("$1");
    }

    /** Returns the text about one node, and the names of the others for which the same holds. */
    static String sentences(String text, Collection<String> others) {
        return others.isEmpty() ? text : text + " The same holds for " + FirstFiveNames.nodes(others) + ".";
    }
}
