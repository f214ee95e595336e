package dev.sluice.observe;

import dev.sluice.injection.Injection;
import dev.sluice.injection.InjectionRules.RuleInUse;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.request.Move;
import dev.sluice.review.AdmissionReview;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Words;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs one line for each decision about a GPU pod, and never the body of a pod. */
public final class DecisionLog implements AdmissionObserver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.decisions");

    /** The longest name that the API server allows. */
    private static final int LONGEST = 253;

    /** A line shows so many warnings, of 240 letters each, and counts the others. */
    private static final int MOST_WARNINGS = 6;

    private static final long NANOS_PER_MICRO = 1_000;

    private final StackTraceLimit stacks = new StackTraceLimit();

    @Override
    public void decided(AdmissionReview review, Verdict verdict, Words words, long generation, long nanos) {
        switch (verdict) {
            case Verdict.NoGpu _ -> {}
            case Verdict.Allowed allowed -> {
                String outcome = allowed.outcome().word();
                LoggingEventBuilder line =
                        line(review, outcome, allowed.reason().word(), nanos);
                withInjection(withMoves(line, allowed.moves()), allowed.injection(), generation)
                        .log(sentence(review, outcome, words.warnings()));
            }
            case Verdict.Denied denied ->
                withInjection(line(review, "denied", denied.reason().word(), nanos), denied.injection(), generation)
                        .log(sentence(review, "denied", List.of(words.message())));
        }
    }

    private static LoggingEventBuilder line(AdmissionReview review, String decision, String reason, long nanos) {
        return LOG.atInfo()
                .addKeyValue("uid", printable(review.uid()))
                .addKeyValue("decision", decision)
                .addKeyValue("reason", reason)
                .addKeyValue("dryRun", review.dryRun() == AdmissionReview.DryRun.YES)
                .addKeyValue("micros", nanos / NANOS_PER_MICRO);
    }

    private static LoggingEventBuilder withMoves(LoggingEventBuilder line, List<Move> moves) {
        return moves.isEmpty() ? line : line.addKeyValue("change", Move.annotation(moves));
    }

    /** Adds the rule of injection, and the generation of the policy that it belongs to. */
    private static LoggingEventBuilder withInjection(LoggingEventBuilder line, Injection injection, long generation) {
        return switch (injection) {
            case Injection.NothingInjected _ -> line;
            case Injection.Injected given -> withRule(line, given.use()).addKeyValue("generation", generation);
            case Injection.Refused(Injection.Refusal refusal) ->
                refusal.rule()
                        .map(rule -> withRule(line, rule))
                        .orElseGet(() -> line.addKeyValue("gpuType", printable(refusal.type())))
                        .addKeyValue("generation", generation);
        };
    }

    private static LoggingEventBuilder withRule(LoggingEventBuilder line, RuleInUse rule) {
        return line.addKeyValue("gpuType", printable(rule.type())).addKeyValue("rule", printable(rule.key()));
    }

    private static String sentence(AdmissionReview review, String decision, List<String> words) {
        String name = review.podName().isEmpty() ? "(unnamed)" : printable(review.podName());
        String pod = "pod " + printable(review.namespace()) + "/" + name + " " + decision;
        if (words.isEmpty()) {
            return pod;
        }
        int more = words.size() - MOST_WARNINGS;
        return more <= 0
                ? pod + ": " + String.join("; ", words)
                : pod + ": " + String.join("; ", words.subList(0, MOST_WARNINGS)) + "; and " + more + " more";
    }

    /** The text, shortened and without line breaks. The encoder escapes the rest. */
    private static String printable(String text) {
        String shortened = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        for (int i = 0; i < shortened.length(); i++) {
            if (Character.isISOControl(shortened.charAt(i))) {
                return shortened.replaceAll("\\p{Cntrl}", "?");
            }
        }
        return shortened;
    }

    @Override
    public void passed(AdmissionReview review) {}

    @Override
    public void refused(int status, String sentence) {
        LOG.atDebug()
                .addKeyValue("status", status)
                .addKeyValue("answer", sentence)
                .log("a request was refused");
    }

    @Override
    public void failed(String uid, Throwable fault) {
        LoggingEventBuilder line =
                LOG.atError().addKeyValue("uid", printable(uid)).addKeyValue("fault", name(fault));
        (stacks.allowOne() ? line.setCause(fault) : line)
                .log("a pod was left as written because of a fault of the gateway");
    }

    private static String name(Throwable fault) {
        return printable(fault.toString());
    }
}
