package dev.sluice.cli.offline;

import java.util.List;

/**
 * The decision about the pod of a case, compared with what was expected.
 *
 * @param policy the name of the configuration file, or {@code defaults}
 * @param differences the fields that are not as expected; empty if the case has passed
 */
record CaseResult(PolicyCase one, String policy, ActualDecision actual, List<CaseFieldDifference> differences) {

    CaseResult {
        differences = List.copyOf(differences);
    }

    boolean hasPassed() {
        return differences.isEmpty();
    }
}
