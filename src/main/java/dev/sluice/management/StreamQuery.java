package dev.sluice.management;

import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedStreamEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a client of the event stream wants to receive.
 *
 * @param namespace the only namespace whose decisions are sent; empty for all decisions and for changes of capacity
 * @param isOfTenant true if the client may read about this namespace only
 * @param fleet the changes of nodes that are sent; empty if the client wants none
 * @param perSecond the maximum number of decisions that the client wants in a second; empty for all decisions
 */
record StreamQuery(Optional<String> namespace, boolean isOfTenant, Optional<FleetWish> fleet, OptionalInt perSecond) {

    /** The query parameter with the maximum number of decisions a second that a client wants to receive. */
    static final String PER_SECOND = "perSecond";

    static final String WRONG_PER_SECOND = PER_SECOND + " must be a whole number from 1 to 1000";

    static final List<String> PARAMETERS = List.of("namespace", "fleet", FleetApi.LABELS, PER_SECOND);

    /**
     * The changes of the list of GPU nodes that a client wants.
     *
     * @param labels the labels that the client wants to see
     * @param version the version of the list that the client knows; empty if it knows none
     */
    record FleetWish(List<String> labels, String version) {}

    static boolean isPerSecond(String text) {
        return text.matches("[1-9][0-9]{0,2}|1000");
    }

    boolean wants(RecordedStreamEvent event) {
        return namespace.isEmpty()
                || (event instanceof NumberedDecisionRecord made
                        && made.decision().pod().head().namespace().equals(namespace.get()));
    }
}
