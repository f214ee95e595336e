package dev.sluice.api;

import dev.sluice.admission.request.Policy;
import dev.sluice.bus.SummaryReply;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.record.TalliedDecisions.SummaryRow;
import dev.sluice.record.TalliedOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/decisions/summary}. The file {@code src/docs/decisions-json.md} documents each field.
 *
 * @param onlyThisReplica the reason why only the decisions of this replica are counted; null if the decisions of all
 *     replicas are counted
 */
record SummaryDocument(
        Instant since, @Nullable String onlyThisReplica, List<ChainSummary> chains, List<SummaryTotal> totals) {

    /**
     * The counts of decisions in one namespace about one fallback chain, which is the list of substitutes for a
     * resource.
     */
    record ChainSummary(
            String namespace,
            String chain,
            Policy.Enforcement enforcement,
            long decisions,
            long changed,
            long denied,
            long waiting,
            long unchanged,
            long undecided) {

        private static ChainSummary of(SummaryRow row) {
            return new ChainSummary(
                    row.counted().namespace(),
                    row.counted().chain(),
                    row.counted().enforcement(),
                    sum(row),
                    row.of(TalliedOutcome.CHANGED),
                    row.of(TalliedOutcome.DENIED),
                    row.of(TalliedOutcome.WAITING),
                    row.of(TalliedOutcome.UNCHANGED),
                    row.of(TalliedOutcome.UNDECIDED));
        }

        private static long sum(SummaryRow row) {
            return row.counts().values().stream().mapToLong(count -> count).reduce(0, Amounts::saturatedSum);
        }
    }

    /** The counts of all decisions that were carried out, or of all decisions under policies that only observe. */
    record SummaryTotal(
            Policy.Enforcement enforcement,
            long decisions,
            long changed,
            long denied,
            long waiting,
            long unchanged,
            long undecided) {

        private static SummaryTotal of(ChainSummary chain) {
            return new SummaryTotal(
                    chain.enforcement,
                    chain.decisions,
                    chain.changed,
                    chain.denied,
                    chain.waiting,
                    chain.unchanged,
                    chain.undecided);
        }

        private SummaryTotal plus(SummaryTotal more) {
            return new SummaryTotal(
                    enforcement,
                    Amounts.saturatedSum(decisions, more.decisions),
                    Amounts.saturatedSum(changed, more.changed),
                    Amounts.saturatedSum(denied, more.denied),
                    Amounts.saturatedSum(waiting, more.waiting),
                    Amounts.saturatedSum(unchanged, more.unchanged),
                    Amounts.saturatedSum(undecided, more.undecided));
        }
    }

    /**
     * Returns the document.
     *
     * @param namespace the only namespace that is shown; empty for all namespaces
     * @param enforcement the enforcement of the decisions that are shown; empty for all decisions
     */
    static SummaryDocument of(
            SummaryReply reply, Optional<String> namespace, Optional<Policy.Enforcement> enforcement) {
        List<ChainSummary> chains = reply.summary().rows().stream()
                .filter(row -> namespace.map(row.counted().namespace()::equals).orElse(true))
                .filter(row ->
                        enforcement.map(row.counted().enforcement()::equals).orElse(true))
                .map(ChainSummary::of)
                .toList();
        Map<Policy.Enforcement, SummaryTotal> totals = new EnumMap<>(Policy.Enforcement.class);
        chains.forEach(chain -> totals.merge(chain.enforcement(), SummaryTotal.of(chain), SummaryTotal::plus));
        return new SummaryDocument(
                reply.summary().since(),
                reply.whyAlone().isEmpty() ? null : reply.whyAlone(),
                chains,
                new ArrayList<>(totals.values()));
    }
}
