package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.api.InstallationStatusDocument.CheckSubject;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.api.ReplicaStatusDocument.PolicyStatus;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the status documents of the replicas.
 *
 * @param namespace the namespace of the gateway
 */
record ReplicaChecks(List<StatusReplicaReport> reports, String namespace, Instant now) {

    private static final int LONGEST = 200;
    private static final int MOST = 5;
    private static final int DIGEST = 8;

    /**
     * A certificate gets a warning if less than a fifth of its validity is left. Replicas normally renew their
     * certificates when a third is left.
     */
    private static final int RENEWED_BY = 5;

    List<StatusCheck> all() {
        List<StatusCheck> checks = new ArrayList<>();
        reports.forEach(report -> checks.add(replica(report)));
        if (answering().findAny().isPresent()) {
            checks.add(deciding());
            checks.add(policy());
            checks.add(version());
            checks.add(watch());
            checks.add(certificate());
            checks.add(rights());
        }
        return checks;
    }

    private Stream<StatusReplicaReport> answering() {
        return reports.stream().filter(report -> report.status().isPresent());
    }

    private StatusCheck replica(StatusReplicaReport report) {
        if (report.status().isEmpty()) {
            return StatusCheck.unknown(
                    CheckSubject.REPLICA,
                    report.name() + ": " + ShortText.of(report.problem(), LONGEST),
                    report.isOfOtherVersion()
                            ? "wait until the rollout has ended"
                            : report.replica() instanceof StatusReplicaPod pod
                                    ? pod.forwarding(unreadBefore(report))
                                    : null);
        }
        JsonNode told = report.told();
        String text = report.name() + " answers"
                + (told.path("ready").asBoolean() ? ", is ready" : ", is not ready") + ", version "
                + cut(told.path("version").asText()) + ", policy " + generation(told) + ", certificate until "
                + cut(told.at("/certificate/notAfter").asText("an unknown time"));
        return told.path("ready").asBoolean()
                ? StatusCheck.ok(CheckSubject.REPLICA, text)
                : StatusCheck.fail(
                        CheckSubject.REPLICA,
                        text + ": " + cut(told.path("readiness").asText()),
                        "kubectl -n " + namespace + " logs " + podOf(report));
    }

    private int unreadBefore(StatusReplicaReport report) {
        return reports.stream()
                .filter(one -> one.status().isEmpty() && !one.isOfOtherVersion())
                .toList()
                .indexOf(report);
    }

    private static String podOf(StatusReplicaReport report) {
        return report.replica() instanceof StatusReplicaPod pod ? pod.name() : "-l app=gpu-webhook --prefix";
    }

    private static String cut(String text) {
        return ShortText.of(text, LONGEST);
    }

    private static String generation(JsonNode told) {
        return ShortText.of(told.at("/policy/sha256").asText(), DIGEST + 3).replace("...", "") + " (generation "
                + told.at("/policy/generation").asText() + ")";
    }

    /** Returns the names of the replicas that answered, grouped by a value in their status. */
    private TreeMap<String, List<String>> by(Function<JsonNode, String> value) {
        return answering()
                .collect(Collectors.groupingBy(
                        report -> cut(value.apply(report.told())),
                        TreeMap::new,
                        Collectors.mapping(StatusReplicaReport::name, Collectors.toList())));
    }

    private static String told(TreeMap<String, List<String>> groups) {
        return groups.entrySet().stream()
                .limit(MOST)
                .map(group -> group.getKey() + ": " + NameList.of(group.getValue(), MOST))
                .collect(Collectors.joining("; "));
    }

    private StatusCheck deciding() {
        List<String> deciding = answering()
                .filter(report -> report.told().path("decides").asBoolean())
                .map(StatusReplicaReport::name)
                .toList();
        TreeMap<String, List<String>> modes = by(told -> told.path("mode").asText());
        if (modes.size() > 1) {
            return StatusCheck.warn(
                    CheckSubject.DECIDING,
                    "the replicas are in different modes: " + told(modes),
                    "wait until the rollout has ended");
        }
        if (modes.containsKey("allocatable")) {
            return deciding.isEmpty()
                    ? StatusCheck.fail(
                            CheckSubject.DECIDING, "no replica that answers decides", "see the lines of the replicas")
                    : StatusCheck.ok(CheckSubject.DECIDING, "allocatable mode: each replica decides by itself");
        }
        return shared(deciding);
    }

    private StatusCheck shared(List<String> deciding) {
        TreeMap<String, List<String>> holders =
                by(told -> told.at("/sharing/holder").asText("nobody"));
        String sets = answering()
                .filter(report -> report.told().path("decides").asBoolean())
                .findFirst()
                .map(report -> report.texts("/sharing/inSync").toList())
                .map(names -> "; in sync: " + NameList.of(names, MOST))
                .orElse("");
        if (holders.size() > 1) {
            return StatusCheck.warn(
                    CheckSubject.DECIDING,
                    "the replicas name different holders of the Lease: " + told(holders),
                    "run this command again; a change of the holder takes a second");
        }
        String holder = holders.firstKey();
        boolean isHeld = !holder.equals("nobody");
        if (deciding.isEmpty()) {
            return isHeld
                    ? StatusCheck.unknown(
                            CheckSubject.DECIDING,
                            "the Lease is held by " + holder + ", and that replica does not answer here",
                            null)
                    : StatusCheck.fail(
                            CheckSubject.DECIDING,
                            "availability mode: nobody holds the Lease, so no pod is decided",
                            "kubectl -n " + namespace + " get lease gpu-webhook -o yaml");
        }
        return StatusCheck.ok(
                CheckSubject.DECIDING,
                "availability mode: " + NameList.of(deciding, MOST) + " decides, Lease held by " + holder + sets);
    }

    private StatusCheck policy() {
        List<String> refused = answering()
                .flatMap(report -> report.texts("/policy/refused").map(problem -> report.name() + ": " + problem))
                .toList();
        if (!refused.isEmpty()) {
            return StatusCheck.warn(
                    CheckSubject.POLICY,
                    "the files have changed and cannot be used, so the former policy stays: "
                            + cut(NameList.of(refused, 2)),
                    "sluice check --config gateway.yaml");
        }
        TreeMap<String, List<String>> digests =
                by(told -> told.at("/policy/sha256").asText());
        return digests.size() == 1
                ? StatusCheck.ok(
                        CheckSubject.POLICY,
                        "all replicas that answer hold the same policy, "
                                + ShortText.of(digests.firstKey(), DIGEST + 3).replace("...", "") + enforcement())
                : StatusCheck.warn(
                        CheckSubject.POLICY,
                        "the replicas hold different policies: " + told(shortened(digests)),
                        "wait a minute for the kubelets to update the files, or until the rollout has ended");
    }

    /**
     * Returns a clause which says whether the policy only observes. The caller has checked that all replicas have the
     * same policy.
     */
    private String enforcement() {
        String word =
                answering().map(StatusReplicaReport::enforcement).findFirst().orElse("");
        return word.equals(Enforcement.OBSERVE.word())
                ? "; it observes, so no pod is changed or refused"
                : word.equals(PolicyStatus.MIXED) ? "; in some namespaces it only observes" : "";
    }

    private static TreeMap<String, List<String>> shortened(TreeMap<String, List<String>> digests) {
        TreeMap<String, List<String>> all = new TreeMap<>();
        digests.forEach((digest, names) -> all.put(digest.substring(0, Math.min(DIGEST, digest.length())), names));
        return all;
    }

    private StatusCheck version() {
        TreeMap<String, List<String>> versions = by(told -> told.path("version").asText());
        return versions.size() == 1
                ? StatusCheck.ok(CheckSubject.VERSION, "all replicas that answer are of version " + versions.firstKey())
                : StatusCheck.warn(
                        CheckSubject.VERSION,
                        "the replicas are of different versions: " + told(versions),
                        "kubectl -n " + namespace + " rollout status deployment/gpu-webhook");
    }

    private StatusCheck watch() {
        List<String> stale = new ArrayList<>();
        List<String> troubled = new ArrayList<>();
        Map<String, Long> current = new TreeMap<>();
        Set<String> withheld = new TreeSet<>();
        answering()
                .forEach(report -> report.told().path("watches").forEach(watch -> {
                    String kind = watch.path("kind").asText() + " at " + report.name();
                    long age = watch.path("ageSeconds").asLong(-1);
                    long limit = watch.path("limitSeconds").asLong(Long.MAX_VALUE);
                    if (watch.path("withheld").asBoolean()) {
                        withheld.add(watch.path("kind").asText());
                    } else if (!watch.path("listed").asBoolean()
                            || age > limit
                            || (age < 0 && limit < Long.MAX_VALUE)) {
                        stale.add(kind
                                + (age < 0 ? ", not proved" : ", " + age + " s old")
                                + watch.path("problem")
                                        .asText("")
                                        .transform(why -> why.isEmpty() ? "" : " (" + cut(why) + ")"));
                    } else if (!watch.path("problem").asText("").isEmpty()) {
                        troubled.add(kind + ", " + age + " s old: "
                                + cut(watch.path("problem").asText()));
                    } else {
                        current.merge(watch.path("kind").asText(), age, Math::max);
                    }
                }));
        if (!stale.isEmpty()) {
            return StatusCheck.fail(
                    CheckSubject.WATCH,
                    "what is known of the cluster is too old: " + NameList.of(stale, MOST),
                    "see failures.md, and the log of the replica");
        }
        return troubled.isEmpty()
                ? StatusCheck.ok(
                        CheckSubject.WATCH,
                        "current: "
                                + NameList.of(
                                        current.entrySet().stream()
                                                .map(kind -> kind.getKey()
                                                        + (kind.getValue() < 0
                                                                ? " as in the file"
                                                                : " as of " + kind.getValue() + " s ago"))
                                                .toList(),
                                        MOST)
                                + (withheld.isEmpty()
                                        ? ""
                                        : "; no decision needs " + String.join(", ", withheld)
                                                + ", which are not listed"))
                : StatusCheck.warn(
                        CheckSubject.WATCH,
                        "a watch has a problem, and its state is still current: " + NameList.of(troubled, MOST),
                        "see the log of the replica");
    }

    private StatusCheck certificate() {
        List<String> expired = new ArrayList<>();
        List<String> late = new ArrayList<>();
        Optional<Instant> first = Optional.empty();
        for (StatusReplicaReport report : answering().toList()) {
            Optional<Instant> from = time(report.told().at("/certificate/notBefore"));
            Optional<Instant> until = time(report.told().at("/certificate/notAfter"));
            if (from.isEmpty() || until.isEmpty()) {
                continue;
            }
            Duration life = Duration.between(from.get(), until.get());
            first = first.filter(earlier -> earlier.isBefore(until.get())).or(() -> until);
            if (now.isAfter(until.get())) {
                expired.add(report.name() + ", on " + until.get());
            } else if (Duration.between(now, until.get())
                            .multipliedBy(RENEWED_BY)
                            .compareTo(life)
                    < 0) {
                late.add(report.name() + ", until " + until.get());
            }
            report.texts("/certificate/problems")
                    .map(problem -> report.name() + ": " + cut(problem))
                    .forEach(late::add);
        }
        if (!expired.isEmpty()) {
            return StatusCheck.fail(
                    CheckSubject.CERTIFICATE,
                    "expired: " + NameList.of(expired, MOST),
                    "sluice certs show --secret, and renew it as certificates.md says");
        }
        if (!late.isEmpty()) {
            return StatusCheck.warn(
                    CheckSubject.CERTIFICATE,
                    "should have been renewed: " + NameList.of(late, MOST),
                    "sluice certs show --secret, and see certificates.md");
        }
        return first.map(end -> StatusCheck.ok(
                        CheckSubject.CERTIFICATE,
                        "valid for " + CountText.of(Duration.between(now, end).toDays(), "day") + ", until " + end))
                .orElseGet(() -> StatusCheck.unknown(
                        CheckSubject.CERTIFICATE, "no replica says which certificate it serves", null));
    }

    private static Optional<Instant> time(JsonNode text) {
        try {
            return Optional.of(Instant.parse(text.asText()));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    private StatusCheck rights() {
        List<String> missing = new ArrayList<>();
        List<String> granting = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        int granted = 0;
        for (StatusReplicaReport report : answering().toList()) {
            for (JsonNode right : report.told().path("rights")) {
                String words = right.path("right").asText() + " ("
                        + right.path("neededFor").asText() + ")";
                if (right.path("allowed").isMissingNode()) {
                    unknown.add(cut(right.path("problem").asText()));
                } else if (right.path("allowed").asBoolean()) {
                    granted++;
                } else {
                    missing.add(words);
                    granting.add(right.path("grantedBy").asText());
                }
            }
        }
        if (!missing.isEmpty()) {
            return StatusCheck.fail(
                    CheckSubject.RIGHTS,
                    "the gateway's account may not "
                            + NameList.of(missing.stream().distinct().toList(), MOST),
                    "apply " + NameList.of(granting.stream().distinct().toList(), MOST)
                            + ", or let the chart set the key of the configuration");
        }
        if (!unknown.isEmpty() || granted == 0) {
            return StatusCheck.unknown(
                    CheckSubject.RIGHTS,
                    "it is not known which rights the gateway has"
                            + unknown.stream()
                                    .findFirst()
                                    .map(why -> ": " + why)
                                    .orElse(""),
                    null);
        }
        return StatusCheck.ok(CheckSubject.RIGHTS, "the gateway's account has all rights that its configuration needs");
    }
}
