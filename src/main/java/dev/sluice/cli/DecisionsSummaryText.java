package dev.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.cli.console.Columns;
import dev.sluice.cli.console.TerminalPage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Prints the summary of decisions: a table of the decisions that were carried out, and a table of those that were only
 * observed.
 */
record DecisionsSummaryText(TerminalPage page, ZoneId zone) {

    private static final List<String> NUMBERS =
            List.of("decisions", "changed", "denied", "waiting", "unchanged", "undecided");

    private static final int NAMES = 2;

    void print(JsonNode summary) {
        String since = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")
                .withZone(zone)
                .format(Instant.parse(summary.path("since").asText()));
        if (summary.path("chains").isEmpty()) {
            page.words("", "No decision since " + since + ".");
        }
        table(summary, Enforcement.ENFORCE, "Since " + since + ", this was done:");
        table(
                summary,
                Enforcement.OBSERVE,
                "Since " + since + ", this would have been done; the policy only observes, so each of these pods was"
                        + " created as it was written:");
        if (summary.has("onlyThisReplica")) {
            page.line();
            page.sentence("Only decisions of one replica since its start are counted, "
                    + summary.path("onlyThisReplica").asText() + ".");
        }
    }

    private void table(JsonNode summary, Enforcement enforcement, String heading) {
        List<JsonNode> chains = of(summary.path("chains"), enforcement);
        if (chains.isEmpty()) {
            return;
        }
        page.words("", heading);
        page.line();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAMESPACE", "CHAIN", "DECISIONS", "CHANGED", "DENIED", "WAIT", "AS ASKED", "UNDECIDED"));
        chains.forEach(chain -> rows.add(
                row(chain.path("namespace").asText(), shown(chain.path("chain").asText()), chain)));
        of(summary.path("totals"), enforcement).forEach(total -> rows.add(row("(all)", "", total)));
        new Columns(page, NAMES).print(rows);
        page.line();
    }

    private static List<JsonNode> of(JsonNode all, Enforcement enforcement) {
        return all.valueStream()
                .filter(one -> one.path("enforcement").asText().equals(enforcement.word()))
                .toList();
    }

    private static List<String> row(String namespace, String chain, JsonNode counts) {
        return Stream.concat(
                        Stream.of(namespace, chain),
                        NUMBERS.stream()
                                .map(number -> Long.toString(counts.path(number).asLong())))
                .toList();
    }

    /**
     * Returns the resource that identifies a chain, without the prefix {@code nvidia.com/}, so that the table is not
     * too wide. Returns {@code -} for decisions about pods that could not be read, because they have no chain.
     */
    private static String shown(String chain) {
        if (chain.isEmpty()) {
            return "-";
        }
        return chain.startsWith("nvidia.com/") ? chain.substring("nvidia.com/".length()) : chain;
    }
}
