package dev.sluice.cli.offline;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.ConfigProblem;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.decode.ReviewEncoder;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.webhook.GatewayAdmissions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the decision about the pod of each test case, and compares it with the expected one. The cases do not influence
 * each other.
 */
final class CaseRunner {

    private static final String DEFAULTS = "defaults";

    private final ConfigOption config;
    private final Optional<Path> cluster;
    private final PrintWriter err;
    private final ReviewDecoder decoder = new ReviewDecoder();
    private final Map<String, Loading.Loaded> configs = new HashMap<>();
    private final Map<Path, ClusterContents> clusters = new HashMap<>();

    /**
     * Creates a runner.
     *
     * @param config the configuration for all cases if the user has named it, and otherwise for the cases that name
     *     none
     * @param cluster the cluster of all cases; empty if each case names its own
     * @param err receives reports about malformed objects of a cluster
     */
    CaseRunner(ConfigOption config, Optional<Path> cluster, PrintWriter err) {
        this.config = config;
        this.cluster = cluster;
        this.err = err;
    }

    /** Returns the results. Throws all problems with the files of the cases at once, before anything is decided. */
    List<CaseResult> run(List<PolicyCase> cases) throws UserProblem {
        CaseProblems problems = new CaseProblems();
        for (PolicyCase one : cases) {
            try {
                check(one, problems);
            } catch (UserProblem problem) {
                problems.add(problem);
            }
        }
        problems.throwIfAny();
        List<CaseResult> results = new ArrayList<>();
        for (PolicyCase one : cases) {
            results.add(decided(one));
        }
        return results;
    }

    private void check(PolicyCase one, CaseProblems problems) throws UserProblem {
        var _ = cluster(one);
        ActivePolicy policy = policy(one, config(one));
        String contradiction = one.expected().contradiction(policy);
        if (!contradiction.isEmpty() && !isChangedBefore(one)) {
            problems.add(
                    new ConfigProblem(one.place(), "the case", contradiction, "change what it expects, or its policy"));
        }
        if (!review(one).isToBeDecided() && !one.expected().decision().isEmpty()) {
            problems.add(new ConfigProblem(
                    one.place(),
                    "the case",
                    "expects the decision " + one.expected().decision()
                            + ", but its review is not about the creation of a pod, or is about the mirror of a static pod",
                    "only the creation of other pods is decided"));
        }
    }

    /**
     * Returns true if the pod has the fallback annotation, which Sluice adds when it exchanges resources. For such a
     * pod, the decision {@code unchanged} and a patch are not contradictory, because the patch may undo the exchange.
     */
    private static boolean isChangedBefore(PolicyCase one) {
        return new String(one.review(), StandardCharsets.UTF_8).contains(PodRequestAnnotations.FALLBACK);
    }

    private CaseResult decided(PolicyCase one) throws UserProblem {
        Loading.Loaded config = config(one);
        // The GPU names in the configuration decide which requests are for GPUs. They must be set before the decision.
        config.config().gpus().use();
        AdmissionReview review = review(one);
        ActualDecision actual = ActualDecision.of(one.review(), answer(one, review, policy(one, config)));
        return new CaseResult(
                one,
                configFile(one).map(Path::toString).orElse(DEFAULTS),
                actual,
                one.expected().differences(actual));
    }

    private byte[] answer(PolicyCase one, AdmissionReview review, ActivePolicy policy) throws UserProblem {
        if (!review.isToBeDecided()) {
            return ReviewEncoder.allowedUndecided(review.uid());
        }
        OfflineDecisions decisions = new OfflineDecisions(cluster(one).ledger(), () -> Instant.EPOCH);
        Verdict verdict = decisions.decide(review, policy).verdict();
        Policy here = policy.policies().forNamespace(review.namespace());
        return one.expected().isOfAnswer()
                ? GatewayAdmissions.encoded(review.uid(), here, verdict, Wording.of(verdict))
                : ReviewEncoder.encode(review.uid(), verdict, Wording.of(verdict));
    }

    private AdmissionReview review(PolicyCase one) throws UserProblem {
        try {
            return decoder.decode(one.review());
        } catch (NotAReviewException broken) {
            throw new UserProblem(one.place() + ": the review cannot be used: " + broken.sentence(), broken);
        }
    }

    private ActivePolicy policy(PolicyCase one, Loading.Loaded config) throws UserProblem {
        return ActivePolicy.first(config.config().policy(), config.injector())
                .limitedBy(cluster(one).limitRanges());
    }

    private Optional<Path> configFile(PolicyCase one) {
        return config.isGiven() ? config.file() : one.config().or(config::file);
    }

    private Loading.Loaded config(PolicyCase one) throws UserProblem {
        @Nullable Path file = configFile(one).orElse(null);
        Loading.@Nullable Loaded known = configs.get(String.valueOf(file));
        if (known != null) {
            return known;
        }
        return switch (ConfigLoader.loadCopy(file, Map.of())) {
            case Loading.Loaded loaded -> {
                configs.put(String.valueOf(file), loaded);
                yield loaded;
            }
            case Loading.NotLoaded refused ->
                throw new UserProblem(
                        refused.problems().stream().map(ConfigProblem::toString).toList(), null);
        };
    }

    private ClusterContents cluster(PolicyCase one) throws UserProblem {
        Path file = cluster.or(one::cluster)
                .orElseThrow(() -> new UserProblem(one.place() + ": the case \"" + one.name()
                        + "\" has no cluster; name a file in it, or give --cluster-snapshot FILE"));
        ClusterContents known = clusters.get(file);
        if (known == null) {
            known = read(file);
            clusters.put(file, known);
        }
        return known;
    }

    private ClusterContents read(Path file) throws UserProblem {
        try {
            return ClusterOption.ofFile(file, KubectlFileLimits.ofCommand(KubectlFileLimits.MEBIBYTES), err);
        } catch (ClusterStateException problem) {
            throw new UserProblem(String.valueOf(problem.getMessage()), problem);
        }
    }
}
