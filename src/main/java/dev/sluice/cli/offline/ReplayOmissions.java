package dev.sluice.cli.offline;

import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the input that was not replayed, or was replayed only partly. For each cause it keeps a count and the place of
 * the first occurrence.
 */
final class ReplayOmissions {

    /** The reasons why input is not replayed, or is replayed only partly. */
    enum LeftOutCause {
        /** The causes from {@link #NO_JSON} to {@link #CUT} mean that the input cannot be read. */
        NO_JSON("line is no JSON", "lines are no JSON"),
        TOO_LONG("line is longer than 16 MiB", "lines are longer than 16 MiB"),
        NEWER(
                "line is of a version that this release does not know",
                "lines are of a version that this release does not know"),
        UNKNOWN(
                "object is neither a pod nor an audit event nor a recorded decision",
                "objects are neither pods nor audit events nor recorded decisions"),
        NO_TIME("object has no usable time", "objects have no usable time"),
        CUT(
                "line is cut short, because the file ends in it; it may still be being written",
                "lines are cut short, because the file ends in them; they may still be being written"),
        /**
         * The causes from {@link #NO_POD} to {@link #NO_CONTAINERS} mean that readable input is not replayed, usually
         * because it has too little information. A malformed pod is no sign of a damaged file, because any user can
         * send such a pod to the API server.
         */
        NO_POD(
                "pod is malformed, so that a gateway cannot read it",
                "pods are malformed, so that a gateway cannot read them"),
        LOG_LINE(
                "line of a gateway's log does not tell what the pod asked for; give the output of sluice decisions -o json",
                "lines of a gateway's log do not tell what the pods asked for; give the output of sluice decisions -o json"),
        NO_BODY(
                "creation has no request body; the audit policy must have level Request or RequestResponse for pods",
                "creations have no request body; the audit policy must have level Request or RequestResponse for pods"),
        TWICE(
                "pod, event or record was read before and is not counted again",
                "pods, events or records were read before and are not counted again"),
        DRY_RUN("dry run is left out", "dry runs are left out"),
        NOT_ASKED(
                "GPU pod is in kube-system or is the mirror of a static pod; the API server does not ask Sluice about it",
                "GPU pods are in kube-system or are mirrors of static pods; the API server does not ask Sluice about them"),
        MANY_CONTAINERS(
                "record has only some of the containers of its pod",
                "records have only some of the containers of their pods"),
        NO_CONTAINERS("record does not tell what the pod asked for", "records do not tell what the pods asked for"),
        /** {@link #RECORD} and the causes below it mean that the input is replayed only partly. */
        RECORD(
                "record does not tell which nodes the pod may use, its CPU and memory, and when it ended: it is decided"
                        + " by what the nodes offer, as if it may use all of them",
                "records do not tell which nodes a pod may use, its CPU and memory, and when it ended: they are decided"
                        + " by what the nodes offer, as if a pod may use all of them"),
        AMBIGUOUS(
                "changed pod is replayed as it was stored, because its annotations do not tell what it asked for",
                "changed pods are replayed as they were stored, because their annotations do not tell what they asked for"),
        NO_NAME(
                "creation does not tell the generated name of its pod, so the end of the pod is not known; level"
                        + " RequestResponse tells it",
                "creations do not tell the generated names of their pods, so the ends of the pods are not known; level"
                        + " RequestResponse tells them"),
        COLLECTION(
                "deletion of many pods at once does not tell which; these pods are counted until the end",
                "deletions of many pods at once do not tell which; these pods are counted until the end"),
        REFUSED_BY_OTHERS(
                "creation was refused by the API server or another webhook; it reserves nothing for longer than 34 s, and"
                        + " is not compared",
                "creations were refused by the API server or another webhook; they reserve nothing for longer than 34 s,"
                        + " and are not compared");

        private final String one;
        private final String many;

        LeftOutCause(String one, String many) {
            this.one = one;
            this.many = many;
        }

        /** Returns true if the result is not complete, because a part of the input cannot be read. */
        boolean isUnreadable() {
            return switch (this) {
                case NO_JSON, TOO_LONG, NEWER, UNKNOWN, NO_TIME -> true;
                case CUT,
                        NO_POD,
                        LOG_LINE,
                        NO_BODY,
                        TWICE,
                        DRY_RUN,
                        NOT_ASKED,
                        MANY_CONTAINERS,
                        NO_CONTAINERS,
                        RECORD,
                        AMBIGUOUS,
                        NO_NAME,
                        COLLECTION,
                        REFUSED_BY_OTHERS -> false;
            };
        }
    }

    /**
     * The number of occurrences of one cause.
     *
     * @param first the place of the first occurrence
     */
    record LeftOutTotal(LeftOutCause cause, long count, String first) {
        String sentence() {
            return CountText.of(count, cause.one, cause.many) + " (first: " + first + ")";
        }
    }

    private final Map<LeftOutCause, LeftOutTotal> byCause = new EnumMap<>(LeftOutCause.class);

    /** @param place the file and the line or the object */
    void add(LeftOutCause cause, String place) {
        byCause.merge(
                cause,
                new LeftOutTotal(cause, 1, place),
                (known, _) -> new LeftOutTotal(cause, known.count() + 1, known.first()));
    }

    List<LeftOutTotal> all() {
        return new ArrayList<>(byCause.values());
    }

    boolean isAnyUnreadable() {
        return byCause.keySet().stream().anyMatch(LeftOutCause::isUnreadable);
    }
}
