package dev.sluice.record;

import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import java.util.ArrayList;
import java.util.List;

/** Limits the size of the causes and candidates in a decision record. The limits are seldom reached. */
public final class RecordedCauses {

    /** The maximum number of causes that are kept. A pod has one cause for each GPU resource that it requests. */
    private static final int MOST_CAUSES = 8;

    /** The maximum number of characters of all causes together. Usual causes are much shorter. */
    private static final int MOST_LETTERS = 1_024;

    private RecordedCauses() {}

    /**
     * Returns the causes to record for an admission. Returns no causes if there are too many, or if they contain too
     * much text from the pod.
     */
    public static List<DecisionCause> of(List<DecisionCause> causes) {
        return causes.isEmpty() || isSmall(causes) ? causes : List.of();
    }

    /**
     * Returns the causes to record for a denial: the cause that led to it, followed by the other causes that were
     * found. Returns no causes if there are too many, or if they are too long.
     */
    public static List<DecisionCause> of(DecisionCause first, List<DecisionCause> others) {
        if (others.size() >= MOST_CAUSES) {
            return List.of();
        }
        List<DecisionCause> all = new ArrayList<>(others.size() + 1);
        all.add(first);
        all.addAll(others);
        return of(all);
    }

    /** Returns the candidates, except those whose name is too long for a resource. */
    public static List<CandidateVerdict> candidates(List<CandidateVerdict> all) {
        // This method runs for every decision, so it creates a stream only if a candidate has to be removed.
        for (CandidateVerdict judged : all) {
            if (!isSmall(judged)) {
                return all.stream().filter(RecordedCauses::isSmall).toList();
            }
        }
        return all;
    }

    private static boolean isSmall(CandidateVerdict judged) {
        return RecordedContainer.isKept(judged.asked()) && RecordedContainer.isKept(judged.candidate());
    }

    private static boolean isSmall(List<DecisionCause> causes) {
        if (causes.size() > MOST_CAUSES) {
            return false;
        }
        int letters = 0;
        for (DecisionCause cause : causes) {
            // No causes are kept if the injection rules refused the pod. Their cause may be long, because it lists
            // containers and requests, and the message to the user contains its numbers.
            if (cause instanceof DecisionCause.InjectionRefused) {
                return false;
            }
            for (String word : cause.words()) {
                letters += word.length();
            }
        }
        return letters <= MOST_LETTERS;
    }
}
