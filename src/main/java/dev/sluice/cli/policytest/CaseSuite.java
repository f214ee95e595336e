package dev.sluice.cli.policytest;

import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.ManifestFile;
import dev.sluice.config.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Finds and reads the cases in files and directories. */
final class CaseSuite {

    /** The maximum size of a file of a case, in MiB. Only files with clusters may be larger. */
    private static final int MEBIBYTES = 16;

    /** The namespace of pods that name none. kubectl has the same default. */
    private static final String DEFAULT_NAMESPACE = "default";

    private final CaseProblems problems = new CaseProblems();
    private final List<PolicyCase> cases = new ArrayList<>();

    private CaseSuite() {}

    /** Returns all cases in the order of their names. Throws all problems of all cases at once. */
    static List<PolicyCase> read(List<Path> places) throws UserProblem {
        CaseSuite suite = new CaseSuite();
        for (Path place : places) {
            suite.add(place);
        }
        suite.checkNames();
        suite.problems.throwIfAny();
        if (suite.cases.isEmpty()) {
            throw new UserProblem("there is no case in "
                    + String.join(", ", places.stream().map(Path::toString).toList())
                    + "; a case is a file that ends in .test.yaml, or a directory with pod.yaml and expected.yaml");
        }
        return suite.cases;
    }

    private void add(Path place) throws UserProblem {
        if (!Files.exists(place)) {
            problems.add(new UserProblem(place + " does not exist; name a file or a directory with cases"));
        } else if (!Files.isDirectory(place)) {
            collect(() -> cases.addAll(CaseFile.read(place, problems)));
        } else {
            for (Path found : found(place)) {
                collect(() -> {
                    if (Files.isDirectory(found)) {
                        cases.add(new CaseDirectory(found, place, DEFAULT_NAMESPACE).read(problems));
                    } else {
                        cases.addAll(CaseFile.read(found, problems));
                    }
                });
            }
        }
    }

    private interface Reading {
        void read() throws UserProblem;
    }

    /** Reads a case. Its problems are collected, so that the remaining cases are also read. */
    private void collect(Reading reading) {
        try {
            reading.read();
        } catch (UserProblem problem) {
            problems.add(problem);
        }
    }

    private static List<Path> found(Path root) throws UserProblem {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> Files.isDirectory(path) ? CaseDirectory.isCase(path) : CaseFile.isCaseFile(path))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException failed) {
            throw new UserProblem(root + " cannot be read: " + failed.getMessage(), failed);
        }
    }

    private void checkNames() {
        Map<String, PolicyCase> byName = new HashMap<>();
        for (PolicyCase one : cases) {
            PolicyCase first = byName.putIfAbsent(one.name(), one);
            if (first != null) {
                problems.add(new Problem(
                        one.place(),
                        "the case",
                        "has the name \"" + one.name() + "\", as the case at " + first.place(),
                        "give each case a name of its own"));
            }
        }
    }

    static byte[] bytes(Path file) throws UserProblem {
        return new ManifestFile(MEBIBYTES, Runtime.getRuntime().maxMemory()).read(file.toString());
    }
}
