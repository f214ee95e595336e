package dev.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiJson;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayOption;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice decisions}. */
@Command(
        name = "decisions",
        header = "Shows what a running gateway has decided, and why.",
        description = {
            "",
            "The last decisions of all replicas, the newest at the end; each keeps 1,000. A pod with a generated name is"
                    + " shown as train-*, because it has no name yet when it is decided, and --pod finds it by its"
                    + " later name.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  kubectl -n gpu-webhook port-forward deploy/gpu-webhook 9090 &",
            "  sluice decisions                         the last 20",
            "  sluice decisions -f -n team-a            and each new one in this namespace, until Ctrl-C;",
            "                                           a gateway that restarts is waited for",
            "  sluice decisions --pod train-7d4f9       why did this pod get what it has?",
            "  sluice decisions --verdict denied --since 2h -o json | jq .message",
            "  sluice decisions --enforcement observe   only what would have been done, where the policy observes",
            "  sluice decisions --summary --since 24h   how many pods were changed, denied or wait, by namespace",
            "                                           and chain; where the policy only observes: would be",
            "",
            "Exit codes: 0 shown; 2 wrong use, or the gateway does not answer."
        })
final class DecisionsCommand implements Callable<Integer> {

    private static final String PATH = "/api/v1/decisions";

    /**
     * The pause between two requests. A second is short enough for a person who watches, and one request in a second is
     * no load for a gateway.
     */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LATE = Duration.ofSeconds(5);

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum DecisionOutput {
        table,
        json
    }

    @Mixin
    private final GatewayOption gateway = new GatewayOption();

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with each new decision until Ctrl-C.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean follow = false;

    @Option(
            names = "--summary",
            description = "Count the decisions of the last 7 days, or since --since, by namespace and chain.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean summary = false;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NS",
            description = "Only pods of this namespace.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String namespace = null;

    @Option(names = "--pod", paramLabel = "P", description = "Only this pod.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String pod = null;

    @Option(names = "--verdict", paramLabel = "V", description = "unchanged, changed, kept, untouched or denied.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String verdict = null;

    @Option(names = "--reason", paramLabel = "R", description = "Only decisions for this reason, such as NotOffered.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String reason = null;

    @Option(
            names = "--enforcement",
            paramLabel = "E",
            description = "enforce for decisions that were carried out, observe for those that were only recorded.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String enforcement = null;

    @Option(names = "--since", paramLabel = "T", description = "An age such as 15m, 2h or 7d, or a time in UTC.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String since = null;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many at first, 1 to 1000 (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private int limit = 20;

    @Mixin
    private final OutputOption<DecisionOutput> output =
            new OutputOption<>(DecisionOutput.table, "; json prints each decision, or the summary, on a line");

    @Mixin
    private final Terminal terminal = new Terminal();

    /**
     * For each gateway process, the sequence number of its newest printed decision. The key is the text with which all
     * decision IDs of the process begin.
     */
    private final Map<String, Long> printed = new HashMap<>();

    /** The replicas whose decisions were missing in the last answer. */
    private String missing = "";

    /** True if the gateway did not answer the last request. */
    private boolean silent;

    @Override
    public Integer call() throws UserProblem, InterruptedException {
        GatewayApiClient api = gateway.api();
        if (summary) {
            return summary(api);
        }
        DecisionsCommandText lines = new DecisionsCommandText(terminal.page(), ZoneId.systemDefault());
        JsonNode first = api.get(PATH, parameters(Integer.toString(limit), since), follow);
        List<JsonNode> shown = oldestFirst(first);
        if (output.format() == DecisionOutput.table) {
            lines.heading();
        }
        tellLeftOut(first, lines);
        tellMissing(first, lines);
        show(shown, lines);
        if (shown.isEmpty() && !follow && output.format() == DecisionOutput.table) {
            lines.note("No decision that is kept matches.");
        }
        while (follow) {
            Thread.sleep(PAUSE);
            shown = nextIfThere(api, shown, lines);
        }
        return ExitCode.DONE;
    }

    private int summary(GatewayApiClient api) throws UserProblem, InterruptedException {
        if (follow || pod != null || verdict != null || reason != null) {
            throw new UserProblem("--summary counts all decisions; it can be used with --since, --namespace,"
                    + " --enforcement and -o");
        }
        Map<String, String> parameters = new HashMap<>();
        put(parameters, "namespace", namespace);
        put(parameters, "enforcement", enforcement);
        put(parameters, "since", since);
        JsonNode found = api.get(PATH + "/summary", parameters, /* patient= */ false);
        switch (output.format()) {
            case table -> new DecisionsSummaryText(terminal.page(), ZoneId.systemDefault()).print(found);
            case json -> terminal.out().println(ApiJson.text(found));
        }
        terminal.out().flush();
        return ExitCode.DONE;
    }

    /**
     * Prints the new decisions. If the gateway does not answer, for example because it restarts, prints a message once
     * and returns. The caller tries again later.
     */
    private List<JsonNode> nextIfThere(GatewayApiClient api, List<JsonNode> before, DecisionsCommandText lines)
            throws UserProblem, InterruptedException {
        try {
            List<JsonNode> shown = next(api, before, lines);
            silent = false;
            return shown;
        } catch (UserProblem problem) {
            if (!(problem.getCause() instanceof IOException)) {
                throw problem;
            }
            if (!silent) {
                silent = true;
                String what = problem.lines().getFirst();
                terminal.err()
                        .println(what
                                + "; it is asked again until Ctrl-C. A kubectl port-forward to it has to be started"
                                + " anew.");
                terminal.err().flush();
            }
            return before;
        }
    }

    /**
     * Prints the decisions that were not printed yet. The request asks for all decisions from a short time before the
     * last printed one, because decisions may arrive late: gateways publish them in batches, and the clocks of replicas
     * differ.
     */
    private List<JsonNode> next(GatewayApiClient api, List<JsonNode> before, DecisionsCommandText lines)
            throws UserProblem, InterruptedException {
        Optional<JsonNode> last = before.isEmpty() ? Optional.empty() : Optional.of(before.getLast());
        Optional<String> from = last.map(decision ->
                Instant.parse(decision.path("time").asText()).minus(LATE).toString());
        JsonNode page = api.get(PATH, parameters("1000", from.orElse(since)), follow);
        List<JsonNode> all = oldestFirst(page);
        List<JsonNode> now = all.stream().filter(this::isNew).toList();
        if (now.size() == all.size()) {
            // The answer contains no decision that was printed before. The older decisions that it leaves out may be
            // new, too.
            tellLeftOut(page, lines);
        }
        tellMissing(page, lines);
        show(now, lines);
        return now.isEmpty() ? before : now;
    }

    /**
     * Returns true if the decision was not printed yet. The part of its ID up to the last dash identifies the gateway
     * process, and the number after the dash increases by one with each decision of that process. A restarted process
     * has a new prefix, and its numbers begin again.
     */
    private boolean isNew(JsonNode decision) {
        return number(decision) > printed.getOrDefault(process(decision), 0L);
    }

    private static String process(JsonNode decision) {
        String id = decision.path("id").asText();
        return id.substring(0, id.lastIndexOf('-') + 1);
    }

    private static long number(JsonNode decision) {
        return Long.parseLong(
                decision.path("id").asText().substring(process(decision).length()));
    }

    private Map<String, String> parameters(String most, @Nullable String from) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("limit", most);
        put(parameters, "namespace", namespace);
        put(parameters, "name", pod);
        put(parameters, "verdict", verdict);
        put(parameters, "reason", reason);
        put(parameters, "enforcement", enforcement);
        put(parameters, "since", from);
        return parameters;
    }

    private static void put(Map<String, String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }

    private static List<JsonNode> oldestFirst(JsonNode page) {
        List<JsonNode> decisions = new ArrayList<>();
        page.path("decisions").forEach(decisions::add);
        return decisions.reversed();
    }

    /**
     * Prints how many decisions were left out of an answer that would be too long. They are always the oldest. With
     * {@code -o json}, the sentence is printed to standard error, because standard output contains only decisions.
     */
    private void tellLeftOut(JsonNode page, DecisionsCommandText lines) {
        long leftOut = page.path("leftOut").asLong();
        if (leftOut > 0) {
            say("The answer would be too long, so the oldest of these decisions are left out: " + leftOut, lines);
        }
    }

    /**
     * Prints the names of the replicas that did not answer. Prints nothing if the same names were missing in the
     * previous answer.
     */
    private void tellMissing(JsonNode page, DecisionsCommandText lines) {
        String names = page.path("missing").valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
        if (!names.isEmpty() && !names.equals(missing)) {
            say("The decisions of these replicas are missing, because they did not answer: " + names, lines);
        }
        missing = names;
    }

    private void say(String sentence, DecisionsCommandText lines) {
        switch (output.format()) {
            case table -> lines.note(sentence);
            case json -> terminal.err().println(sentence);
        }
    }

    private void show(List<JsonNode> decisions, DecisionsCommandText lines) {
        for (JsonNode decision : decisions) {
            printed.merge(process(decision), number(decision), Math::max);
            switch (output.format()) {
                case table -> lines.print(decision);
                case json -> terminal.out().println(ApiJson.text(decision));
            }
        }
        terminal.out().flush();
    }
}
