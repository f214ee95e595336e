package dev.sluice.cli;

import dev.sluice.injection.Injection;
import dev.sluice.injection.Injection.Basis;
import dev.sluice.injection.Injection.Line;
import dev.sluice.injection.Injection.Portion;
import dev.sluice.injection.RuleInUse;
import java.util.stream.Collectors;

/** What belongs to a pod's GPUs and how it was reckoned, for people. */
record InjectionText(Page page) {

    void print(Injection injection) {
        if (injection instanceof Injection.Given given) {
            page.line();
            RuleInUse use = given.use();
            page.words(
                    "  ",
                    "injected for " + given.gpus() + " " + use.resource() + " of gpu-type " + use.type() + ", by "
                            + source(use.source()));
            given.lines().forEach(this::line);
            use.rule()
                    .annotations()
                    .forEach((key, value) -> page.words("    ", "      ", "annotation " + key + ": " + value));
        }
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
        String taken = shared.taken().stream()
                .map(one -> one.request().canonical() + " of " + one.container())
                .collect(Collectors.joining(", "));
        return total + ", less " + taken + ", leaves " + shared.left().canonical() + ", "
                + shared.perGpu().canonical() + " for each GPU";
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
                portion.name() + " with " + portion.gpus() + (portion.gpus() == 1 ? " GPU: " : " GPUs: ") + given
                        + kept);
    }
}
