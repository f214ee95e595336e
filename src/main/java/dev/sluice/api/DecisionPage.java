package dev.sluice.api;

import dev.sluice.record.NumberedDecisionRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The answer of {@code /api/v1/decisions}.
 *
 * @param total the number of decisions since the start, of all replicas that are in the answer
 * @param leftOut the number of decisions that match the query and were left out to limit the size of the answer
 * @param missing the replicas whose decisions are not in the answer, because they did not answer in time
 */
record DecisionPage(long total, List<DecisionDocumentJson> decisions, int leftOut, List<String> missing) {

    /**
     * The maximum size of the answer in bytes. A thousand ordinary decisions need a third of it, but a decision about a
     * hostile pod may be a hundred times as long as an ordinary one.
     */
    static final int MOST_BYTES = 4 * 1_024 * 1_024;

    /** The number of bytes in an answer that are reserved for everything except the decisions. */
    private static final int REST_BYTES = 16 * 1_024;

    private static final Comparator<DecisionDocumentJson> NEWEST_FIRST =
            Comparator.comparing(DecisionDocumentJson::time).reversed();

    /** Creates a page of this replica alone. If the answer would become too long, the oldest decisions are left out. */
    static DecisionPage of(List<NumberedDecisionRecord> found, long total, String epoch) {
        List<DecisionDocumentJson> shown = asFit(found, kept -> DecisionDocumentJson.of(kept, epoch));
        return new DecisionPage(total, shown, found.size() - shown.size(), List.of());
    }

    /**
     * Returns this page together with the pages of other replicas, the newest decision first. A decision that is in
     * several pages is shown once.
     *
     * @param limit the maximum number of decisions
     * @param silent the replicas that sent no page
     */
    DecisionPage with(List<DecisionPage> others, int limit, List<String> silent) {
        List<DecisionPage> pages = new ArrayList<>(others);
        pages.addFirst(this);
        Map<String, DecisionDocumentJson> byId = new LinkedHashMap<>();
        pages.forEach(page -> page.decisions().forEach(decision -> byId.putIfAbsent(decision.id(), decision)));
        // A single page is already in the right order.
        Stream<DecisionDocumentJson> ordered =
                others.isEmpty() ? decisions.stream() : byId.values().stream().sorted(NEWEST_FIRST);
        List<DecisionDocumentJson> newest = ordered.limit(limit).toList();
        List<DecisionDocumentJson> shown = asFit(newest, Function.identity());
        long alreadyLeftOut = pages.stream().mapToLong(DecisionPage::leftOut).sum();
        return new DecisionPage(
                pages.stream().mapToLong(DecisionPage::total).sum(),
                shown,
                newest.size() - shown.size() + (int) Math.min(limit - newest.size(), alreadyLeftOut),
                silent);
    }

    /** Returns the first decisions as JSON, as many as fit into the answer. */
    private static <T> List<DecisionDocumentJson> asFit(List<T> found, Function<T, DecisionDocumentJson> written) {
        List<DecisionDocumentJson> shown = new ArrayList<>();
        int bytes = 0;
        for (T one : found) {
            DecisionDocumentJson decision = written.apply(one);
            bytes += decision.bytes();
            if (bytes > MOST_BYTES - REST_BYTES) {
                break;
            }
            shown.add(decision);
        }
        return shown;
    }
}
