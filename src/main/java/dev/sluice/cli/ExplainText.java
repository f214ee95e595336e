package dev.sluice.cli;

import dev.sluice.admission.Explanation;
import dev.sluice.admission.Explanation.Answer;
import dev.sluice.admission.Explanation.Candidate;
import dev.sluice.admission.Explanation.Fate;
import dev.sluice.admission.Explanation.Nodes;
import dev.sluice.admission.Explanation.Question;
import dev.sluice.admission.Move;
import dev.sluice.admission.PodAnnotations;
import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cluster.ResourceName;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** An explanation for people. */
record ExplainText(Page page) {

    /** Nodes named before the rest is only counted. */
    private static final int NAMED_NODES = 3;

    private static final int SHOWN_COMBINATIONS = 6;

    void print(Explained explained) {
        page.line(page.ink().strong(title(explained)));
        switch (explained) {
            case Explained.Passed passed ->
                page.words("  ", "passes unread (" + passed.what() + "): only the creation of pods is decided");
            case Explained.Decided decided -> decided(decided.manifest(), decided.explanation());
        }
    }

    private static String title(Explained explained) {
        return explained.manifest().title() + ", namespace "
                + (explained.namespace().isEmpty() ? "(none)" : explained.namespace())
                + copies(explained.manifest());
    }

    private static String copies(Manifest manifest) {
        return manifest instanceof Manifest.Pods pods && pods.copies() > 1
                ? ", each of its " + pods.copies() + " pods"
                : manifest instanceof Manifest.Pods pods && !pods.isPod() ? ", each of its pods" : "";
    }

    private void decided(Manifest manifest, Explanation explanation) {
        verdict(explanation.verdict());
        if (manifest instanceof Manifest.Pods pods && pods.kind().equals("DaemonSet")) {
            page.words(
                    "  ",
                    "Each pod of a DaemonSet names its node and is decided for that node alone; this is the"
                            + " answer for a pod that may use any.");
        }
        explanation.questions().forEach(this::question);
        combinations(explanation);
        new InjectionText(page).print(explanation.injection());
        switch (explanation.verdict()) {
            case Verdict.NoGpu _ -> {}
            case Verdict.Denied denied -> {
                page.line();
                page.line("  what the user sees");
                denied.warnings().forEach(this::warning);
                page.words("    ", "      ", page.ink().bad("Forbidden:") + " " + denied.message());
            }
            case Verdict.Allowed allowed -> effects(allowed);
        }
    }

    private void verdict(Verdict verdict) {
        page.words(
                "  ",
                switch (verdict) {
                    case Verdict.NoGpu _ -> "admitted as written: it asks for no GPU";
                    case Verdict.Denied denied ->
                        page.ink().bad("denied") + ": " + denied.reason().word();
                    case Verdict.Allowed allowed ->
                        outcome(allowed) + " (" + allowed.reason().word() + ")";
                });
    }

    private String outcome(Verdict.Allowed allowed) {
        Ink ink = page.ink();
        return switch (allowed.outcome()) {
            case UNCHANGED ->
                ink.good("unchanged")
                        + (allowed.reason() == Reason.INJECTED
                                ? ": it asks for no GPU of the policy's"
                                : ": all it asks is offered");
            case CHANGED -> ink.good("changed") + ": " + Move.annotation(allowed.moves());
            case KEPT -> ink.doubtful("kept") + " as written: it waits until a node offers what it asks";
            case UNTOUCHED ->
                ink.doubtful("untouched")
                        + (allowed.reason() == Reason.INVALID_QUANTITY
                                ? ": the API server will refuse it as it stands"
                                : ": left as written");
        };
    }

    private void question(Question question) {
        page.line();
        String who = (question.containers().size() == 1 ? "container " : "containers ")
                + String.join(", ", question.containers());
        boolean one = question.containers().size() == 1;
        page.words("  ", who + (one ? " asks " : " ask ") + question.asked() + needs(question));
        List<Candidate> candidates = question.candidates();
        int width = candidates.stream()
                .mapToInt(candidate -> candidate.resource().value().length())
                .max()
                .orElse(0);
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            page.line(
                    "  %3d  %s  %s".formatted(i + 1, pad(candidate.resource().value(), width), fate(candidate.fate())));
            if (candidate.fate() != Fate.NOT_NEEDED) {
                candidate.nodes().forEach(this::nodes);
            }
        }
    }

    private static String needs(Question question) {
        if (question.candidates().isEmpty()) {
            return "";
        }
        long need = question.candidates().getFirst().need();
        return "; one node must have " + number(need) + (need == 1 ? "" : " of it");
    }

    private String fate(Fate fate) {
        return switch (fate) {
            case CHOSEN -> page.ink().good("chosen");
            case NOT_OFFERED -> "not offered";
            case NOT_TOGETHER -> "offered, but not together with the rest";
            case NOT_NEEDED -> page.ink().faint("not needed");
            case NOT_TRIED -> "offered, but not tried";
        };
    }

    private void nodes(Nodes nodes) {
        String has = nodes.allocatable() <= 0 ? "" : number(nodes.allocatable());
        String lead = "         " + pad(word(nodes.answer()), 9) + pad(has, 6);
        String why = nodes.answer() instanceof Answer.Refused refused
                ? ": " + refused.refusal().text()
                : "";
        page.words(lead, " ".repeat(lead.length()), names(nodes.names()) + why);
    }

    private static String word(Answer answer) {
        return switch (answer) {
            case Answer.Fits _ -> "fits";
            case Answer.TooFew _ -> "too few";
            case Answer.Refused _ -> "not here";
            case Answer.None _ -> "none";
        };
    }

    private static String names(List<String> names) {
        if (names.size() <= NAMED_NODES) {
            return String.join(", ", names);
        }
        int more = names.size() - 1;
        return names.getFirst() + " and " + number(more) + " more nodes like it";
    }

    private void combinations(Explanation explanation) {
        if (explanation.inVain().isEmpty()) {
            return;
        }
        page.line();
        page.line("  together on one node");
        explanation.inVain().stream()
                .limit(SHOWN_COMBINATIONS)
                .forEach(given -> page.words("       ", combination(explanation, given) + ": no node"));
        int more = explanation.inVain().size() - SHOWN_COMBINATIONS;
        if (more > 0) {
            page.line("       and " + number(more) + " more in vain");
        }
    }

    private static String combination(Explanation explanation, Map<ResourceName, ResourceName> given) {
        return explanation.questions().stream()
                .map(Question::asked)
                .map(asked -> given.getOrDefault(asked, asked).value())
                .collect(Collectors.joining(" + "));
    }

    private void effects(Verdict.Allowed allowed) {
        if (!allowed.warnings().isEmpty()) {
            page.line();
            page.line("  what the user sees");
            allowed.warnings().forEach(this::warning);
        }
        if (!allowed.moves().isEmpty()) {
            page.words("    ", "      ", PodAnnotations.FALLBACK + ": " + Move.annotation(allowed.moves()));
        }
        if (!allowed.patch().isEmpty()) {
            page.line();
            page.line("  patch");
            PatchText.lines(allowed.patch()).forEach(line -> page.words("    ", "      ", line));
        }
    }

    private void warning(String warning) {
        page.words("    ", "      ", page.ink().doubtful("Warning:") + " " + warning);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
