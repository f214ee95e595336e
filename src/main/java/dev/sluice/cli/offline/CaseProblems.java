package dev.sluice.cli.offline;

import dev.sluice.cli.console.UserProblem;
import dev.sluice.config.ConfigProblem;
import java.util.ArrayList;
import java.util.List;

/** Collects all problems of all cases, so that the user can solve them at once. */
final class CaseProblems {

    private final List<String> lines = new ArrayList<>();

    void add(ConfigProblem problem) {
        lines.add(problem.toString());
    }

    void add(UserProblem problem) {
        lines.addAll(problem.lines());
    }

    /** Throws all problems that were added. Does nothing if there are none. */
    void throwIfAny() throws UserProblem {
        if (!lines.isEmpty()) {
            throw new UserProblem(lines.stream().distinct().toList(), null);
        }
    }
}
