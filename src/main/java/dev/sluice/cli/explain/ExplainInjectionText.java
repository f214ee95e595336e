package dev.sluice.cli.explain;

import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Basis;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Line;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.injection.NotInjected;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the resources that are injected for a pod's GPUs, and how their amounts were calculated. */
record ExplainInjectionText(TerminalPage page) {

    private static final int MOST_NAMES = 5;

    void print(DecisionExplanation explanation) {
        switch (explanation.verdict().injection()) {
            case Injection.Injected given -> given(given);
            case Injection.Refused refused -> refused(refused.refusal());
            case Injection.NothingInjected _ -> explanation.notInjected().ifPresent(this::notInjected);
        }
    }

    private void given(Injection.Injected given) {
        RuleInUse use = given.use();
        title("injected for " + given.gpus() + " " + by(use));
        given.lines().forEach(this::line);
        use.rule()
                .annotations()
                .forEach((key, value) -> page.words("    ", "      ", "annotation " + key + ": " + value));
    }

    private void title(String text) {
        page.line();
        page.words("  ", text);
    }

    private static String by(RuleInUse use) {
        return use.resource() + " of gpu-type " + use.type() + ", by " + source(use.source());
    }

    private void refused(Refusal refusal) {
        switch (refusal) {
            case Refusal.DifferentResources different -> {
                title("injection refused: a rule of gpu-type " + different.type() + " serves one GPU resource, not "
                        + different.wanted().size());
                different.wanted().forEach(this::wanted);
            }
            case Refusal.ZeroGpus none -> {
                title("injection refused: the pod names a GPU of gpu-type " + none.type() + " and asks for 0 of it");
                wanted(none.wanted());
            }
            case Refusal.TooLarge tooLarge -> {
                title("injection refused for " + tooLarge.gpus() + " " + by(tooLarge.use()));
                rule(tooLarge.use(), tooLarge.resource(), tooLarge(tooLarge));
            }
            case Refusal.Overflow overflow -> {
                title("injection refused for " + overflow.gpus() + " " + by(overflow.use()));
                rule(overflow.use(), overflow.resource(), ": more than a quantity can say");
            }
        }
    }

    private void wanted(Wanted wanted) {
        page.words(
                "    ",
                "      ",
                wanted.resource() + " in " + NameList.withNoun("container", wanted.containers(), Integer.MAX_VALUE));
    }

    private void rule(RuleInUse use, ResourceName resource, String calculation) {
        String perGpu = use.rule()
                .of(resource)
                .map(rule -> ", " + rule.perGpu() + " for each GPU")
                .orElse("");
        page.words("    ", "      ", resource + perGpu + calculation);
    }

    private static String tooLarge(Refusal.TooLarge refusal) {
        return ": " + refusal.total().canonical() + " in total, minus " + taken(refusal.taken())
                + refusal.excess()
                        .map(excess -> ": " + excess.canonical() + " too much")
                        .orElse(": too much");
    }

    private void notInjected(NotInjected why) {
        title("nothing injected: "
                + switch (why) {
                    case NotInjected.NoType _ -> "the pod has no annotation " + InjectionPodResources.TYPE;
                    case NotInjected.NoRules noRules ->
                        "no rules are configured (injection.file) for gpu-type " + noRules.type() + " or any other";
                    case NotInjected.NamespaceSkipped skipped ->
                        "namespaceWhiteList has the namespace " + skipped.namespace();
                    case NotInjected.UnknownType unknown ->
                        "no rule is for gpu-type " + unknown.type() + " here, only for "
                                + some(unknown.known().stream());
                    case NotInjected.OtherResources other ->
                        "the rules of gpu-type " + other.type() + " are for "
                                + some(other.resources().stream().map(ResourceName::value))
                                + ", and no main container names "
                                + (other.resources().size() == 1 ? "that" : "any of them");
                    case NotInjected.LeftAsWritten _ -> "the pod is left as written";
                });
    }

    /** Returns the first names of a list, and the number of the others. Users can write lists of any length. */
    private static String some(Stream<String> names) {
        List<String> all = names.toList();
        return all.isEmpty() ? "none" : NameList.of(all, MOST_NAMES);
    }

    private static String source(RuleInUse.Source source) {
        return switch (source) {
            case RuleInUse.Source.OfNamespace own -> "the rule of namespace " + own.namespace();
            case RuleInUse.Source.Default _ -> "the default rule";
        };
    }

    private void line(Line line) {
        page.words(
                "    ",
                "      ",
                line.rule().name() + ", " + line.rule().perGpu() + " for each GPU" + basis(line.basis()));
        line.portions().forEach(this::portion);
    }

    private static String basis(Basis basis) {
        return switch (basis) {
            case Basis.Shared shared -> shared(shared);
            case Basis.Each _ -> ", counted for each container by itself";
            case Basis.LeftToPod _ -> ": nothing, as the pod asks for it as a whole";
        };
    }

    private static String shared(Basis.Shared shared) {
        String total = ": " + shared.total().canonical() + " in all";
        if (shared.taken().isEmpty()) {
            return total;
        }
        return total + ", less " + taken(shared.taken()) + ", leaves "
                + shared.left().canonical() + ", " + shared.perGpu().canonical() + " for each GPU";
    }

    private static String taken(List<KeptRequest> taken) {
        return taken.stream()
                .map(one -> one.request().canonical() + " of " + one.container())
                .collect(Collectors.joining(", "));
    }

    private void portion(Portion portion) {
        String request = portion.request().canonical();
        String limit = portion.limit().canonical();
        String given = request.equals(limit) ? request : request + ", limit " + limit;
        String kept = portion.isKept()
                ? " as the user wrote, instead of " + portion.share().canonical()
                : "";
        page.words(
                "      ",
                "        ",
                portion.name() + " with " + CountText.of(portion.gpus(), "GPU") + ": " + given + kept);
    }
}
