package dev.sluice.lease;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import java.util.Map;

/** Estimates how many bytes an answer takes. */
final class AnswerWeight {

    /** Letters that are not Latin take two bytes. */
    private static final long BYTES_OF_LETTER = 2;

    /** An object and the reference to it, without its texts. */
    private static final long OBJECT = 64;

    /** A cause with its numbers, besides the words of the pod's author. */
    private static final long CAUSE = 6 * OBJECT;

    private AnswerWeight() {}

    static long of(Verdict.Allowed answer) {
        long weight = OBJECT + (long) answer.moves().size() * OBJECT + of(answer.injection());
        for (DecisionCause cause : answer.causes()) {
            weight += CAUSE;
            for (String word : cause.words()) {
                weight += text(word);
            }
        }
        for (PatchOperation step : answer.patch()) {
            weight += text(step.path().toString())
                    + switch (step) {
                        case PatchOperation.Add add -> of(add.value());
                        case PatchOperation.Replace replace -> of(replace.value());
                        case PatchOperation.Remove _ -> 0;
                    };
        }
        return weight;
    }

    private static long of(PatchOperation.Value value) {
        return switch (value) {
            case PatchOperation.Text(String text) -> text(text);
            case PatchOperation.Members(Map<String, PatchOperation.Value> members) -> {
                long weight = OBJECT;
                for (Map.Entry<String, PatchOperation.Value> member : members.entrySet()) {
                    weight += text(member.getKey()) + of(member.getValue());
                }
                yield weight;
            }
        };
    }

    /** The rule belongs to the policy and is not counted. */
    private static long of(Injection injection) {
        return switch (injection) {
            case Injection.NothingInjected _, Injection.Refused _ -> OBJECT;
            case Injection.Injected injected -> {
                long weight = OBJECT;
                for (Injection.Line line : injected.lines()) {
                    weight += OBJECT + 4 * OBJECT * line.portions().size();
                }
                yield weight;
            }
        };
    }

    private static long text(String text) {
        return OBJECT + BYTES_OF_LETTER * text.length();
    }
}
