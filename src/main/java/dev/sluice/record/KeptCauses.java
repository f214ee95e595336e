package dev.sluice.record;

import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import java.util.ArrayList;
import java.util.List;

/** Keeps the causes and the candidates of a decision where they are small, as nearly all are. */
public final class KeptCauses {

    /** A pod has one cause for each GPU resource that it asks for. */
    private static final int MOST_CAUSES = 8;

    /** Three names of containers have 189 letters. */
    private static final int MOST_LETTERS = 1_024;

    private KeptCauses() {}

    /** The causes of an admission; none if they are too many, or hold too many words of the pod's author. */
    public static List<DecisionCause> of(List<DecisionCause> causes) {
        return causes.isEmpty() || isSmall(causes) ? causes : List.of();
    }

    /** The causes of a denial, that of the denial first. */
    public static List<DecisionCause> of(DecisionCause first, List<DecisionCause> others) {
        if (others.size() >= MOST_CAUSES) {
            return List.of();
        }
        List<DecisionCause> all = new ArrayList<>(others.size() + 1);
        all.add(first);
        all.addAll(others);
        return of(all);
    }

    /** The candidates whose names a resource can have. */
    public static List<JudgedCandidate> candidates(List<JudgedCandidate> all) {
        // Every decision asks this, so that a stream is made only where some are left out.
        for (JudgedCandidate judged : all) {
            if (!isSmall(judged)) {
                return all.stream().filter(KeptCauses::isSmall).toList();
            }
        }
        return all;
    }

    private static boolean isSmall(JudgedCandidate judged) {
        return RecordedContainer.isKept(judged.asked()) && RecordedContainer.isKept(judged.candidate());
    }

    private static boolean isSmall(List<DecisionCause> causes) {
        if (causes.size() > MOST_CAUSES) {
            return false;
        }
        int letters = 0;
        for (DecisionCause cause : causes) {
            // A refusal of injection lists containers and requests, so it is not kept; its sentence holds the numbers.
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
