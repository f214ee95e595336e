package dev.sluice.cli.explain;

import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.DecisionExplanation.AlikeNodes;
import dev.sluice.admission.DecisionExplanation.NodeAnswer;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.VerdictTrace.AskedResource;
import dev.sluice.admission.verdict.VerdictTrace.Candidate;
import dev.sluice.admission.verdict.VerdictTrace.CandidateOutcome;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ExplainDocument.AnsweringGateway;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.TerminalText;
import dev.sluice.cli.status.Registration;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Prints explanations as text.
 *
 * @param registered states for which pods the API server calls the webhook
 */
record ExplainText(TerminalPage page, Registration registered) {

    /** The maximum number of nodes that are printed with their names. All other nodes are only counted. */
    private static final int NAMED_NODES = 3;

    private static final int SHOWN_COMBINATIONS = 6;

    /** The name of the policy of a gateway without a configuration. */
    static final String DEFAULTS = "defaults";

    /** The sentence that is printed if the policy of the namespace only observes. */
    static final String OBSERVED =
            "The policy of this namespace only observes: each pod is created as it is written, and what would be done is"
                    + " recorded.";

    /** The maximum length of a printed value that another user wrote, because such a value can have any length. */
    private static final int LONGEST_VALUE = 200;

    void print(Explained explained) throws IOException {
        page.line(page.style().strong(title(explained)));
        registered
                .notAsked(explained.manifest().toCreate(explained.namespace()))
                .ifPresent(sentence -> page.words("  ", sentence));
        explained
                .changedBefore()
                .ifPresent(fallback -> page.words(
                        "  ",
                        "This pod was changed when it was created (" + ShortText.of(fallback, LONGEST_VALUE)
                                + "); this is what would become of a copy of it as it is now."));
        explained.notFilled().forEach(sentence -> page.words("  ", sentence));
        switch (explained) {
            case Explained.Passed passed ->
                page.words("  ", "passes unread (" + passed.what() + "): only the creation of pods is decided");
            case Explained.Decided decided -> decided(decided);
        }
    }

    /** Prints the notes that apply to all explanations. */
    void end(List<Explained> all, String policy) {
        note(all);
        notes();
        page.line();
        page.words(
                "",
                policy.equals(DEFAULTS)
                        ? "Policy: the defaults; --config FILE takes a gateway's own."
                        : "Policy: " + policy);
    }

    /** Prints a note for each part of the webhook's registration that could not be read. */
    void notes() {
        registered.notes().forEach(sentence -> {
            page.line();
            page.sentence(sentence);
        });
    }

    private void note(List<Explained> all) {
        long byRoom = all.stream()
                .filter(explained -> explained instanceof Explained.Decided decided
                        && decided.explanation().trace().mode() == Policy.Mode.AVAILABILITY)
                .mapToLong(explained ->
                        explained.manifest() instanceof Manifest.ManifestPods pods ? Math.max(1, pods.copies()) : 1)
                .sum();
        if (byRoom > 1) {
            page.line();
            page.words(
                    "", "Each pod is decided by itself, on the cluster as it is: none takes anything from the next.");
        }
    }

    /** Prints the notes that apply to all explanations of a running gateway, such as its policy. */
    void endOfGateway(List<Explained> all, AnsweringGateway gateway) {
        note(all);
        page.line();
        page.words(
                "",
                "Policy: that of the running gateway, generation " + gateway.policyGeneration() + "." + free(gateway));
    }

    private static String free(AnsweringGateway gateway) {
        return switch (gateway.reservations()) {
            case null -> "";
            case OWN -> " What is free is what this replica decides by itself.";
            case COPY_IN_SYNC ->
                " What is free is this replica's copy of the reservations, which the replica that decides keeps in sync.";
            case COPY_NOT_IN_SYNC ->
                " What is free is this replica's copy of the reservations, which may lack the newest ones.";
        };
    }

    private static String title(Explained explained) {
        return explained.manifest().title() + ", namespace "
                + (explained.namespace().isEmpty() ? "(none)" : explained.namespace())
                + copies(explained.manifest());
    }

    private static String copies(Manifest manifest) {
        return manifest instanceof Manifest.ManifestPods pods && pods.copies() > 1
                ? ", each of its " + pods.copies() + " pods"
                : manifest instanceof Manifest.ManifestPods pods && !pods.isPod() ? ", each of its pods" : "";
    }

    private void decided(Explained.Decided decided) throws IOException {
        Manifest manifest = decided.manifest();
        DecisionExplanation explanation = decided.explanation();
        verdict(decided);
        if (decided.policy().observes()) {
            page.words("  ", OBSERVED);
        }
        explanation.invalid().forEach(sentence -> page.words("    ", "      ", sentence));
        explanation.misspelt().forEach(sentence -> page.words("    ", "      ", sentence));
        if (manifest instanceof Manifest.ManifestPods pods && pods.kind().equals("DaemonSet")) {
            page.words(
                    "  ",
                    "Each pod of a DaemonSet names its node and is decided for that node alone; this is the"
                            + " answer for a pod that may use any.");
        }
        explanation.trace().asked().forEach(asked -> asked(asked, explanation));
        combinations(explanation);
        decided.faults().forEach(this::fault);
        new ExplainInjectionText(page).print(explanation);
        if (decided.policy().observes()) {
            observed(decided);
            return;
        }
        VerdictTexts words = Wording.of(decided.verdict());
        switch (explanation.verdict()) {
            case Verdict.NoGpu _ -> {}
            case Verdict.Denied _ -> {
                page.line();
                page.line("  what the user sees");
                words.warnings().forEach(this::warning);
                page.words("    ", "      ", page.style().bad("Forbidden:").then(" " + words.message()));
            }
            case Verdict.Allowed allowed -> effects(allowed, words.warnings());
        }
    }

    /** Prints the messages and the patch of a decision that the policy only observes. Such a patch is not sent. */
    private void observed(Explained.Decided decided) throws IOException {
        List<String> sentences = Wording.observed(decided.verdict());
        if (!sentences.isEmpty()) {
            page.line();
            switch (decided.policy().observedMessage()) {
                case WARNING -> {
                    page.line("  what the user sees");
                    sentences.forEach(this::warning);
                }
                case NONE -> {
                    page.line("  what is recorded; the user sees no warning");
                    sentences.forEach(sentence -> page.words("    ", "      ", sentence));
                }
            }
        }
        if (decided.verdict() instanceof Verdict.Allowed allowed
                && !allowed.patch().isEmpty()) {
            patch("  patch that is not sent", allowed);
        }
    }

    private void verdict(Explained.Decided decided) {
        DecisionExplanation explanation = decided.explanation();
        page.words(
                decided.policy().observes() && !(explanation.verdict() instanceof Verdict.NoGpu) ? "  would be " : "  ",
                switch (explanation.verdict()) {
                    case Verdict.NoGpu _ ->
                        explanation.invalid().isEmpty()
                                ? TerminalText.of("admitted as written: it asks for no GPU")
                                : page.style()
                                        .doubtful("left as written")
                                        .then(": the API server will refuse it as it stands");
                    case Verdict.Denied denied ->
                        page.style().bad("denied").then(": " + denied.reason().word());
                    case Verdict.Allowed allowed ->
                        outcome(allowed, explanation.trace().mode())
                                .then(" (" + allowed.reason().word() + ")");
                });
    }

    private TerminalText outcome(Verdict.Allowed allowed, Policy.Mode mode) {
        AnsiStyle ink = page.style();
        return switch (allowed.outcome()) {
            case UNCHANGED -> unchanged(allowed, mode).then(beside(allowed));
            case CHANGED ->
                ink.good("changed")
                        .then(
                                allowed.moves().isEmpty()
                                        ? ": the missing limit is added" + beside(allowed)
                                        : ": " + PodRequestReplacement.annotation(allowed.moves()));
            case KEPT -> ink.doubtful("kept").then(" as written: " + whyKept(allowed));
            case UNTOUCHED ->
                ink.doubtful("untouched")
                        .then(
                                allowed.reason() == Reason.INVALID_QUANTITY
                                        ? ": the API server will refuse it as it stands"
                                        : ": left as written");
        };
    }

    private static String whyKept(Verdict.Allowed allowed) {
        if (allowed.reason() == Reason.GATED) {
            return "it has scheduling gates and may be sent to other nodes later";
        }
        return keptForClaims(allowed)
                .orElse(
                        namesItsNode(allowed)
                                ? "its node does not offer what it asks, and it does not wait"
                                : "it waits until a node offers what it asks");
    }

    /**
     * Returns true if the pod names its node in {@code nodeName} and lacks a resource there. The scheduler does not
     * handle such a pod, so the pod does not wait for the resource.
     */
    private static boolean namesItsNode(Verdict.Allowed allowed) {
        return allowed.causes().stream()
                .anyMatch(cause -> cause instanceof DecisionCause.OfContainers some
                        && some.placedBy() == DecisionCause.PlacedBy.NODE_NAME);
    }

    private TerminalText unchanged(Verdict.Allowed allowed, Policy.Mode mode) {
        return switch (allowed.reason()) {
            case EXHAUSTED ->
                page.style()
                        .doubtful("unchanged")
                        .then(
                                namesItsNode(allowed)
                                        ? ": its node has no room for it, and it does not wait"
                                        : ": it waits until there is room for it");
            case INJECTED -> page.style().good("GPUs unchanged").then(": it asks for no GPU of the policy's");
            default ->
                page.style()
                        .good(allowed.patch().isEmpty() ? "unchanged" : "GPUs unchanged")
                        .then(
                                switch (mode) {
                                    case ALLOCATABLE -> ": all it asks is offered";
                                    case AVAILABILITY ->
                                        allowed.causes().stream().anyMatch(DecisionCause.Preempts.class::isInstance)
                                                ? ": pods of lower priority make room for it"
                                                : ": there is room for all it asks";
                                });
        };
    }

    /**
     * Returns a note about the injected resources of a pod whose GPUs do not change. Returns an empty text if nothing
     * is injected.
     */
    private static String beside(Verdict.Allowed allowed) {
        boolean injected = allowed.injection() instanceof Injection.Injected;
        return injected ? "; what belongs to its GPUs is injected" : "";
    }

    private static Optional<String> keptForClaims(Verdict.Allowed allowed) {
        return allowed.causes().stream()
                .filter(DecisionCause.KeptForClaims.class::isInstance)
                .map(DecisionCause.KeptForClaims.class::cast)
                .findFirst()
                .map(kept -> kept.candidate().equals(kept.asked())
                        ? "DRA may hand out what it asks"
                        : "DRA may hand out a fallback of what it asks");
    }

    private void asked(AskedResource asked, DecisionExplanation explanation) {
        page.line();
        String who = NameList.withNoun("container", asked.containers(), Integer.MAX_VALUE);
        boolean one = asked.containers().size() == 1;
        page.words("  ", who + (one ? " asks " : " ask ") + asked.resource() + needs(asked));
        List<Candidate> candidates = asked.candidates();
        int width = candidates.stream()
                .mapToInt(candidate -> candidate.resource().value().length())
                .max()
                .orElse(0);
        String row = "  %3d  %-" + Math.max(1, width) + "s  ";
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            List<AlikeNodes> nodes =
                    candidate.fate() == CandidateOutcome.NOT_NEEDED ? List.of() : explanation.nodes(candidate);
            page.line(fate(candidate.fate(), nodes)
                    .after(row.formatted(i + 1, candidate.resource().value())));
            nodes(candidate.resource(), nodes);
        }
    }

    private static String needs(AskedResource asked) {
        if (asked.candidates().isEmpty()) {
            return "";
        }
        long need = asked.candidates().getFirst().need();
        return "; one node must have " + CountText.number(need) + (need == 1 ? "" : " of it");
    }

    private TerminalText fate(CandidateOutcome fate, List<AlikeNodes> nodes) {
        return switch (fate) {
            case CHOSEN -> page.style().good(preempts(nodes) ? "chosen; pods of lower priority give way" : "chosen");
            case AWAITED -> page.style().doubtful("assigned; waiting for capacity");
            case EXHAUSTED -> TerminalText.of("offered, but no node has room for it now");
            case UNCERTAIN -> page.style().doubtful("may be had; it is not known whether DRA has enough");
            case NOT_OFFERED -> TerminalText.of("not offered");
            case NOT_TOGETHER -> TerminalText.of("offered, but not together with the rest");
            case LIMITED -> TerminalText.of("offered, but a LimitRange of the namespace rules it out");
            case REFUSED -> TerminalText.of("offered, but injection refuses the pod with it");
            case NOT_NEEDED -> page.style().faint("not needed");
            case NOT_TRIED -> TerminalText.of("offered, but not tried");
        };
    }

    /** Returns true if the candidate fits on no node now, but would fit on some node if other pods were preempted. */
    private static boolean preempts(List<AlikeNodes> nodes) {
        return nodes.stream()
                        .anyMatch(alike -> alike.answer() instanceof NodeAnswer.InUse inUse
                                && inUse.relief() == NodeAnswer.InUse.Relief.PREEMPTION)
                && those(nodes, NodeAnswer.Fits.class).isEmpty()
                && those(nodes, NodeAnswer.MayFit.class).isEmpty();
    }

    private void nodes(ResourceName candidate, List<AlikeNodes> all) {
        List<AlikeNodes> inUse = those(all, NodeAnswer.InUse.class);
        List<AlikeNodes> small = those(all, NodeAnswer.TooSmall.class);
        all.stream()
                .filter(nodes ->
                        !hidden(inUse).contains(nodes) && !hidden(small).contains(nodes))
                .forEach(nodes -> row(candidate, nodes));
        more(hidden(inUse), "in use");
        more(hidden(small), "too small");
    }

    private static List<AlikeNodes> those(List<AlikeNodes> all, Class<? extends NodeAnswer> answer) {
        return all.stream().filter(nodes -> answer.isInstance(nodes.answer())).toList();
    }

    /** Returns the groups of nodes whose names are not printed. Only the number of their nodes is printed. */
    private static List<AlikeNodes> hidden(List<AlikeNodes> nodes) {
        return nodes.subList(Math.min(nodes.size(), NAMED_NODES), nodes.size());
    }

    private void more(List<AlikeNodes> hidden, String word) {
        int more = hidden.stream().mapToInt(nodes -> nodes.names().size()).sum();
        if (more > 0) {
            page.line("         and " + CountText.of(more, "more node") + " " + word);
        }
    }

    private void row(ResourceName candidate, AlikeNodes nodes) {
        String has = nodes.allocatable() <= 0 ? "" : CountText.number(nodes.allocatable());
        String lead = "         %-10s%-5s ".formatted(word(nodes.answer()), has);
        String why = switch (nodes.answer()) {
            case NodeAnswer.NodeRefuses refused ->
                ": " + ShortText.of(refused.refusal().text(), LONGEST_VALUE);
            case NodeAnswer.InUse inUse -> ": " + ExplainInUseText.of(candidate, inUse);
            case NodeAnswer.TooSmall small -> ": " + ExplainInUseText.of(small);
            case NodeAnswer.Fits(OptionalLong free) ->
                free.isPresent()
                        ? ": " + CountText.number(free.getAsLong())
                                + (nodes.names().size() == 1 ? " free" : " free on each")
                        : "";
            case NodeAnswer.MayFit _, NodeAnswer.TooFew _, NodeAnswer.HasNone _ -> "";
        };
        String byDra = nodes.deviceClass().isEmpty()
                ? ""
                : (why.isEmpty() ? ": " : ", ") + "handed out by DRA (class " + nodes.deviceClass() + ")";
        page.words(lead, " ".repeat(lead.length()), names(nodes.names()) + why + byDra);
    }

    private static String word(NodeAnswer answer) {
        return switch (answer) {
            case NodeAnswer.Fits _ -> "fits";
            case NodeAnswer.InUse inUse ->
                switch (inUse.relief()) {
                    case WAITING -> "in use";
                    case PREEMPTION -> "preempts";
                };
            case NodeAnswer.MayFit _ -> "may fit";
            case NodeAnswer.TooSmall _ -> "too small";
            case NodeAnswer.TooFew _ -> "too few";
            case NodeAnswer.NodeRefuses _ -> "not here";
            case NodeAnswer.HasNone _ -> "none";
        };
    }

    private static String names(List<String> names) {
        if (names.size() <= NAMED_NODES) {
            return String.join(", ", names);
        }
        int more = names.size() - 1;
        return names.getFirst() + " and " + CountText.number(more) + " more nodes like it";
    }

    private void fault(DecisionCause.KnownFault fault) {
        page.line();
        page.line("  what is known of " + fault.asked());
        page.words("    ", fault.text());
    }

    private void combinations(DecisionExplanation explanation) {
        if (explanation.trace().rejectedCombinations().isEmpty()) {
            return;
        }
        page.line();
        page.line("  together on one node");
        explanation.trace().rejectedCombinations().stream()
                .limit(SHOWN_COMBINATIONS)
                .forEach(given -> page.words("       ", combination(explanation, given) + ": no node"));
        int more = explanation.trace().rejectedCombinations().size() - SHOWN_COMBINATIONS;
        if (more > 0) {
            page.line("       and " + CountText.number(more) + " more in vain");
        }
    }

    private static String combination(DecisionExplanation explanation, List<PodRequestReplacement> moves) {
        return explanation.trace().asked().stream()
                .map(asked -> PodRequestReplacement.given(moves)
                        .apply(asked.resource())
                        .value())
                .collect(Collectors.joining(" + "));
    }

    private void effects(Verdict.Allowed allowed, List<String> warnings) throws IOException {
        if (!warnings.isEmpty()) {
            page.line();
            page.line("  what the user sees");
            warnings.forEach(this::warning);
        }
        if (!allowed.moves().isEmpty()) {
            page.words(
                    "    ",
                    "      ",
                    PodRequestAnnotations.FALLBACK + ": " + PodRequestReplacement.annotation(allowed.moves()));
        }
        if (!allowed.patch().isEmpty()) {
            patch("  patch", allowed);
        }
    }

    private void patch(String heading, Verdict.Allowed allowed) throws IOException {
        page.line();
        page.line(heading);
        ExplainPatchText.lines(ExplainJson.patch(allowed.patch())).forEach(line -> page.words("    ", "      ", line));
    }

    private void warning(String warning) {
        page.words("    ", "      ", page.style().doubtful("Warning:").then(" " + warning));
    }
}
