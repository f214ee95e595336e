package dev.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.cli.console.TerminalPage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Prints decisions on lines of at most 100 columns. The first line of a decision contains the time, verdict and reason
 * in columns, and after them the pod and the exchanged resources. The following lines contain the messages for the
 * user.
 */
record DecisionsCommandText(TerminalPage page, ZoneId zone) {

    private static final String ROW = "%-8s  %-18s  %-18s  ";
    private static final String WOULD_BE = "would be ";
    private static final String BELOW = " ".repeat(10);
    private static final String MIG_PREFIX = "nvidia.com/mig-";

    void heading() {
        page.line(page.style().faint(String.format(Locale.ROOT, ROW, "TIME", "DECISION", "REASON") + "POD"));
    }

    void note(String sentence) {
        page.sentence(sentence);
    }

    void print(JsonNode decision) {
        String row = String.format(
                Locale.ROOT,
                ROW,
                time(decision),
                verdict(decision),
                decision.path("reason").asText());
        page.words(row, BELOW, pod(decision) + change(decision.path("changes")));
        for (JsonNode warning : decision.path("warnings")) {
            page.words(BELOW, warning.asText());
        }
        if (decision.has("message")) {
            page.words(BELOW, decision.path("message").asText());
        }
    }

    /**
     * Returns the verdict as text. If the policy only observes, the text is the same as in the log, for example
     * {@code would be denied}.
     */
    private static String verdict(JsonNode decision) {
        String word = decision.path("decision").asText();
        return decision.path("enforcement").asText().equals(Enforcement.OBSERVE.word()) ? WOULD_BE + word : word;
    }

    private String time(JsonNode decision) {
        Instant time = Instant.parse(decision.path("time").asText());
        return DateTimeFormatter.ofPattern("HH:mm:ss").withZone(zone).format(time);
    }

    private static String pod(JsonNode decision) {
        String name = decision.path("name").asText();
        return decision.path("namespace").asText() + "/" + (name.isEmpty() ? "(unnamed)" : name)
                + (decision.path("dryRun").asBoolean() ? " (dry run)" : "");
    }

    private static String change(JsonNode changes) {
        StringJoiner text = new StringJoiner(", ", " ", "").setEmptyValue("");
        for (JsonNode change : changes) {
            text.add(shortName(change.path("from").asText()) + "->"
                    + shortName(change.path("to").asText()));
        }
        return text.toString();
    }

    /** Returns the short name of a resource, as in the annotation of a changed pod. */
    private static String shortName(String resource) {
        return resource.equals("nvidia.com/gpu")
                ? "gpu"
                : resource.startsWith(MIG_PREFIX) ? resource.substring(MIG_PREFIX.length()) : resource;
    }
}
