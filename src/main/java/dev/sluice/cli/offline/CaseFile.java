package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.ManifestDocuments;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.text.DnsLabel;
import dev.sluice.text.ShortText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file with test cases in a list {@code cases}. Its keys {@code cluster} and {@code config} name the files for cases
 * without such keys. File names are relative to this file. Options of the command line take precedence.
 */
final class CaseFile {

    private static final List<String> ENDINGS = List.of(".test.yaml", ".test.yml", ".test.json");

    private static final int LONGEST_NAME = 200;

    private static final String WHAT_A_NAME_IS = "expected a text that says what the case is about";

    private final Path file;
    private final CaseProblems problems;
    private final List<PolicyCase> cases = new ArrayList<>();

    private CaseFile(Path file, CaseProblems problems) {
        this.file = file;
        this.problems = problems;
    }

    /** Returns true if the name is that of a file with cases. */
    static boolean isCaseFile(String file) {
        return ENDINGS.stream().anyMatch(file::endsWith);
    }

    static List<PolicyCase> read(Path file, CaseProblems problems) throws UserProblem {
        CaseFile reading = new CaseFile(file, problems);
        reading.read(CaseSuite.bytes(file));
        return reading.cases;
    }

    private void read(byte[] text) throws UserProblem {
        List<JsonNode> documents = ManifestDocuments.of(file.toString(), text);
        if (documents.size() != 1) {
            throw new UserProblem(file + " has " + documents.size() + " documents; it should have one");
        }
        CaseFields fields = CaseFields.ofDocument(file.toString(), text, documents.getFirst(), problems);
        Optional<Path> cluster = path(fields, "cluster");
        Optional<Path> config = config(fields);
        for (CaseFields one : fields.sections("cases")) {
            try {
                add(one, cluster, config);
            } catch (UserProblem problem) {
                problems.add(problem);
            }
        }
        fields.refuseUnknown();
    }

    private void add(CaseFields one, Optional<Path> cluster, Optional<Path> config) throws UserProblem {
        Optional<String> name = one.text("name");
        if (!one.has("name")) {
            one.refuseWhole("has no name", WHAT_A_NAME_IS);
        } else if (name.filter(String::isBlank).isPresent()) {
            one.refuse("name", "is empty", WHAT_A_NAME_IS);
        }
        String why = one.text("why").orElse("");
        Optional<String> namespace = one.text("namespace");
        if (namespace.filter(text -> !DnsLabel.is(text)).isPresent()) {
            one.refuse(
                    "namespace",
                    "is \"" + ShortText.of(namespace.get(), LONGEST_NAME) + "\", which no namespace is called",
                    "expected lower-case letters, digits and dashes");
        }
        Optional<Path> ownCluster = path(one, "cluster");
        Optional<Path> ownConfig = config(one);
        JsonNode pod = pod(one);
        Optional<ExpectedDecision> expected = one.section("expect").map(fields -> ExpectedFields.read(fields, pod));
        if (expected.isEmpty()) {
            one.refuseWhole("has no expect", "expected a map with the expected decision");
        }
        one.refuseUnknown();
        if (name.isPresent() && expected.isPresent() && pod.isObject()) {
            String where =
                    namespace.orElse(pod.path("metadata").path("namespace").asText("default"));
            cases.add(new PolicyCase(
                    name.get(),
                    new SourcePosition(file.toString(), one.line()),
                    why.strip(),
                    new CreationReview(name.get(), where, MissingNode.getInstance())
                            .of(pod)
                            .toString()
                            .getBytes(StandardCharsets.UTF_8),
                    ownCluster.or(() -> cluster),
                    ownConfig.or(() -> config),
                    expected.get()));
        }
    }

    /** Returns the configuration, which may be a directory of files. */
    private Optional<Path> config(CaseFields fields) {
        return fields.text("config")
                .flatMap(this::path)
                .filter(Files::isDirectory)
                .or(() -> path(fields, "config"));
    }

    private Optional<Path> path(CaseFields fields, String key) {
        Optional<String> written = fields.text(key);
        Optional<Path> path = written.flatMap(this::path).filter(Files::isRegularFile);
        if (written.isPresent() && path.isEmpty()) {
            String shown = path(written.get()).map(Path::toString).orElse(written.get());
            fields.refuse(key, "is " + ShortText.of(shown, LONGEST_NAME) + ", which is no file", "name a file");
        }
        return path;
    }

    private Optional<Path> path(String written) {
        try {
            return Optional.of(file.resolveSibling(written));
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /**
     * Returns the pod of a case. The pod is in the case itself, or in a file that the case names. If there is a problem
     * with the pod, reports the problem and returns a missing node.
     */
    private JsonNode pod(CaseFields one) throws UserProblem {
        JsonNode written = one.value("pod");
        if (written.isMissingNode()) {
            one.refuseWhole("has no pod", "expected a pod, or the name of a file with one");
            return written;
        }
        if (written instanceof ObjectNode pod) {
            pod.put("apiVersion", pod.path("apiVersion").asText("v1"))
                    .put("kind", pod.path("kind").asText("Pod"));
            return pod(one, file.toString(), pod.toString().getBytes(StandardCharsets.UTF_8));
        }
        Optional<Path> named = path(one, "pod");
        return named.isEmpty()
                ? MissingNode.getInstance()
                : pod(one, named.get().toString(), CaseSuite.bytes(named.get()));
    }

    /** Returns the pod of a manifest. It may be the template of a Deployment or of another object that creates pods. */
    private static JsonNode pod(CaseFields one, String source, byte[] manifest) throws UserProblem {
        CasePod read = CasePod.of(source, manifest);
        if (read.pod().isMissingNode()) {
            one.refuse("pod", "is " + read.title(), CasePod.EXPECTED);
        }
        return read.pod();
    }
}
