package dev.sluice.record;

import dev.sluice.admission.verdict.DecisionCause;
import java.util.ArrayList;
import java.util.List;

/** Keeps the causes of a decision where they are small, as nearly all are. */
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

    private static boolean isSmall(List<DecisionCause> causes) {
        if (causes.size() > MOST_CAUSES) {
            return false;
        }
        int letters = 0;
        for (DecisionCause cause : causes) {
            // What injection refuses lists containers and requests; its sentence holds the numbers.
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
