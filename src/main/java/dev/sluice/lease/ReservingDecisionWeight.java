package dev.sluice.lease;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import java.util.Map;

/** Estimates the memory that an issued decision with its answer uses, in bytes. */
final class ReservingDecisionWeight {

    /**
     * The number of bytes that one character may take. Java stores texts with characters outside Latin-1 in two bytes
     * each.
     */
    private static final long BYTES_OF_LETTER = 2;

    /** The bytes of one Java object and of a reference to the object, without the texts in it. */
    private static final long OBJECT = 64;

    /** The bytes of one cause of a decision, without the texts that come from the pod. */
    private static final long CAUSE = 6 * OBJECT;

    private ReservingDecisionWeight() {}

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

    /**
     * Returns the bytes of the injected amounts. The rule is not counted, because the policy holds it in memory anyway.
     */
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
