package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.ManifestDocuments;
import dev.sluice.config.ConfigNearestKey;
import dev.sluice.config.ConfigProblem;
import dev.sluice.config.ConfigProblem.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A test case that is a directory. It contains {@code pod.yaml} with the pod as its author wrote it,
 * {@code cluster.yaml}, {@code gateway.yaml}, and the expected result in {@code response.json} or
 * {@code expected.yaml}. The fields of an optional {@code request.yaml} replace those of the generated admission
 * request. A case about the exact bytes of an AdmissionReview has a {@code review.json} instead of {@code pod.yaml} and
 * {@code request.yaml}. {@code cluster.yaml} and {@code gateway.yaml} may also be in a directory above.
 *
 * @param root the directory in which the cases are; no file above it is read
 * @param defaultNamespace the namespace of a pod that names none
 */
public record CaseDirectory(Path directory, Path root, String defaultNamespace) {

    private static final String POD = "pod.yaml";
    private static final String REQUEST = "request.yaml";
    private static final String REVIEW = "review.json";
    private static final String RESPONSE = "response.json";
    private static final String EXPECTED = "expected.yaml";
    private static final String CLUSTER = "cluster.yaml";
    private static final String CONFIG = "gateway.yaml";
    private static final String WHY = "why.txt";

    /** The files of a case. */
    public static final List<String> FILES =
            List.of(POD, REQUEST, REVIEW, RESPONSE, EXPECTED, CLUSTER, CONFIG, "injection.json", WHY);

    /** Matches the names of the files with the expected result, and similar names that users may write by mistake. */
    private static final Pattern MEANT_AS_EXPECTED = Pattern.compile("(expect|expected|response)\\.(ya?ml|json)");

    /**
     * Returns true if the directory is a case or was meant to be one. A file with an expected result is enough. Without
     * such a file, the directory must have a {@code pod.yaml} or {@code review.json}, and no file with a list of cases,
     * because the list may use the {@code pod.yaml}.
     *
     * @param files the names of the files in the directory
     */
    static boolean isCase(List<String> files) {
        return files.stream().anyMatch(file -> MEANT_AS_EXPECTED.matcher(file).matches())
                || ((files.contains(POD) || files.contains(REVIEW))
                        && files.stream().noneMatch(CaseFile::isCaseFile));
    }

    /** Returns the path of the case below the root, or the name of the root if the case is the root. */
    public String name() {
        Path below = root.relativize(directory);
        return below.toString().isEmpty()
                ? directory.toAbsolutePath().normalize().getFileName().toString()
                : below.toString().replace('\\', '/');
    }

    /** Returns the file with the nodes and pods. */
    public Optional<Path> cluster() {
        return nearest(CLUSTER);
    }

    /** Returns the configuration file. If the case has none, the configuration of the whole run applies. */
    public Optional<Path> config() {
        return nearest(CONFIG);
    }

    /**
     * Returns the file of this name in the directory of the case, or in the nearest directory above it that has such a
     * file.
     */
    private Optional<Path> nearest(String file) {
        for (Path at = directory; at != null; at = at.equals(root) ? null : at.getParent()) {
            if (Files.exists(at.resolve(file))) {
                return Optional.of(at.resolve(file));
            }
        }
        return Optional.empty();
    }

    /** Returns the review that the API server sends when the pod is created. */
    public byte[] review() throws UserProblem {
        return has(REVIEW)
                ? bytes(REVIEW)
                : new CreationReview(name(), namespace(), document(REQUEST))
                        .of(pod())
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the namespace in which the pod is created. */
    public String namespace() throws UserProblem {
        return pod().path("metadata").path("namespace").asText(defaultNamespace);
    }

    /**
     * Returns the pod as its author wrote it. If {@code pod.yaml} contains another object that creates pods, returns
     * the pod that the object creates. Returns a missing node if the case has no pod.
     */
    public JsonNode pod() throws UserProblem {
        JsonNode written = document(POD);
        if (written.path("kind").asText("Pod").equals("Pod")) {
            return written;
        }
        String source = directory.resolve(POD).toString();
        CasePod read = CasePod.of(source, bytes(POD));
        if (read.pod().isMissingNode()) {
            throw new UserProblem(source + " is " + read.title() + ", " + CasePod.EXPECTED);
        }
        return read.pod();
    }

    /** Returns the expected response. */
    public JsonNode response() throws UserProblem {
        return document(RESPONSE);
    }

    /** Returns the reason for which the case exists; empty if it has none. */
    public String why() throws UserProblem {
        return has(WHY) ? new String(bytes(WHY), StandardCharsets.UTF_8).strip() : "";
    }

    /** Reads the case. Each mistake in its files is reported as a problem. */
    PolicyCase read(CaseProblems problems) throws UserProblem {
        checkFiles(problems);
        byte[] review = review();
        String file = has(RESPONSE) ? RESPONSE : EXPECTED;
        return new PolicyCase(
                name(),
                new SourcePosition(directory.resolve(file).toString(), SourcePosition.NO_LINE),
                why(),
                review,
                cluster(),
                config(),
                has(file) ? expected(file, problems) : new ExpectedResponse(MissingNode.getInstance()));
    }

    private ExpectedDecision expected(String file, CaseProblems problems) throws UserProblem {
        JsonNode document = document(file);
        CaseFields fields = CaseFields.ofDocument(directory.resolve(file).toString(), bytes(file), document, problems);
        return file.equals(RESPONSE)
                ? ExpectedResponse.read(fields, document)
                : ExpectedFields.read(fields, has(REVIEW) ? podOfReview() : pod());
    }

    private JsonNode podOfReview() throws UserProblem {
        return document(REVIEW).path("request").path("object");
    }

    private void checkFiles(CaseProblems problems) throws UserProblem {
        refuseIf(has(RESPONSE) && has(EXPECTED), "has response.json and expected.yaml", "keep one", problems);
        refuseIf(!has(RESPONSE) && !has(EXPECTED), "has neither response.json nor expected.yaml", "add one", problems);
        refuseIf(
                has(REVIEW) && (has(POD) || has(REQUEST)), "has review.json and a pod beside it", "keep one", problems);
        refuseIf(!has(REVIEW) && !has(POD) && !has(REQUEST), "has no pod.yaml", "add the pod of the case", problems);
        for (String file : CaseSuite.names(directory)) {
            if (!FILES.contains(file)) {
                ConfigNearestKey.to(file, FILES)
                        .filter(near -> !has(near))
                        .ifPresent(near ->
                                refuseIf(/* is= */ true, "has " + file, "did you mean " + near + "?", problems));
            }
        }
    }

    private void refuseIf(boolean is, String fault, String fix, CaseProblems problems) {
        if (is) {
            problems.add(new ConfigProblem(
                    new SourcePosition(directory.toString(), SourcePosition.NO_LINE), "the case", fault, fix));
        }
    }

    private boolean has(String file) {
        return Files.exists(directory.resolve(file));
    }

    private byte[] bytes(String file) throws UserProblem {
        return CaseSuite.bytes(directory.resolve(file));
    }

    private JsonNode document(String file) throws UserProblem {
        if (!has(file)) {
            return MissingNode.getInstance();
        }
        String source = directory.resolve(file).toString();
        List<JsonNode> documents = ManifestDocuments.of(source, bytes(file));
        if (documents.size() != 1) {
            throw new UserProblem(source + " has " + documents.size() + " documents; it should have one");
        }
        return documents.getFirst();
    }
}
