package dev.sluice.cli.offline;

import dev.sluice.config.ConfigProblem.SourcePosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results as {@code -o json} prints them. The page policy-tests.md describes each field. */
record PolicyTestDocument(int passed, int failed, List<TestedCase> cases) {

    record TestedCase(
            String name,
            String file,
            @Nullable Integer line,
            String policy,
            boolean passed,
            String decision,
            @Nullable String reason,
            List<CaseFieldDifference> differences,
            List<String> sentences) {

        private static TestedCase of(CaseResult result) {
            SourcePosition place = result.one().place();
            return new TestedCase(
                    result.one().name(),
                    place.source(),
                    place.line() == SourcePosition.NO_LINE ? null : place.line(),
                    result.policy(),
                    result.hasPassed(),
                    result.actual().decision(),
                    result.actual().reason().isEmpty() ? null : result.actual().reason(),
                    result.differences(),
                    result.actual().sentences());
        }
    }

    static PolicyTestDocument of(List<CaseResult> results) {
        int passed = (int) results.stream().filter(CaseResult::hasPassed).count();
        return new PolicyTestDocument(
                passed,
                results.size() - passed,
                results.stream().map(TestedCase::of).toList());
    }
}
