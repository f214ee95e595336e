package dev.sluice.cli.offline;

import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.ManifestFile;
import dev.sluice.config.ConfigProblem;
import dev.sluice.files.FileReadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Finds and reads the cases in files and directories. */
final class CaseSuite {

    /** The maximum size of a file of a case, in MiB. Only files with clusters may be larger. */
    private static final int MEBIBYTES = 16;

    /** The namespace of pods that name none. kubectl has the same default. */
    private static final String DEFAULT_NAMESPACE = "default";

    private final CaseProblems problems = new CaseProblems();
    private final List<PolicyCase> cases = new ArrayList<>();

    /** The files and directories that were read, by their real paths. */
    private final Set<Path> read = new HashSet<>();

    private CaseSuite() {}

    /**
     * Returns all cases, in the order of {@code places}. The cases of a directory are in the order of their paths.
     * Throws all problems of all cases at once.
     */
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
            if (isNew(place)) {
                collect(() -> cases.addAll(CaseFile.read(place, problems)));
            }
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

    /** Returns the sorted paths of the cases in a directory. */
    private List<Path> found(Path root) throws UserProblem {
        List<Path> found = new ArrayList<>();
        find(root, found);
        found.sort(Comparator.naturalOrder());
        return found;
    }

    /**
     * Searches a file or a directory, and follows links. Hidden files are ignored, because a mounted ConfigMap contains
     * a hidden copy of its files.
     */
    private void find(Path at, List<Path> found) throws UserProblem {
        if (!isNew(at)) {
            return;
        }
        if (!Files.isDirectory(at)) {
            if (CaseFile.isCaseFile(at.getFileName().toString())) {
                found.add(at);
            }
            return;
        }
        List<String> names = names(at);
        if (CaseDirectory.isCase(names)) {
            found.add(at);
        }
        for (String name : names) {
            if (!name.startsWith(".")) {
                find(at.resolve(name), found);
            }
        }
    }

    /** Returns true if the file or directory was not read yet, under this name or another. */
    private boolean isNew(Path place) throws UserProblem {
        try {
            // A link without a target has no real path, so it is always treated as new. The attempt to read it then
            // reports the problem.
            return !Files.exists(place) || read.add(place.toRealPath());
        } catch (IOException failed) {
            throw notReadable(place, failed);
        }
    }

    /** Returns the sorted names of the files and directories in a directory. */
    static List<String> names(Path directory) throws UserProblem {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException failed) {
            throw notReadable(directory, failed);
        }
    }

    private static UserProblem notReadable(Path place, IOException failed) {
        return new UserProblem(
                place + " " + FileReadFailure.sentence(failed, "name a file or a directory with cases"), failed);
    }

    private void checkNames() {
        Map<String, PolicyCase> byName = new HashMap<>();
        for (PolicyCase one : cases) {
            PolicyCase first = byName.putIfAbsent(one.name(), one);
            if (first != null) {
                problems.add(new ConfigProblem(
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
