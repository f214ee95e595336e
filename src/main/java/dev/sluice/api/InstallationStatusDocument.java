package dev.sluice.api;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code sluice status -o json}. The file {@code src/docs/status.md} documents it. New fields and checks
 * may be added, but none is removed.
 *
 * @param result the worst result of all checks
 * @param proved true if the gateway has decided about a pod that was created as a dry run. This proves that the API
 *     server calls the gateway and trusts it
 * @param namespace the namespace of the dry run; null if none was suitable
 * @param error the reason why the command ended before it could check anything; null if it checked
 */
public record InstallationStatusDocument(
        CheckResult result,
        boolean proved,
        @Nullable String namespace,
        @Nullable String error,
        List<StatusCheck> checks) {

    /** The results, from the best to the worst. */
    public enum CheckResult {
        OK,
        UNKNOWN,
        WARN,
        FAIL
    }

    /** The subjects of the checks, in the order in which they are shown. */
    public enum CheckSubject {
        REGISTRATION,
        SERVICE,
        PODS,
        NAMESPACES,
        PROBE,
        TRUST,
        REPLICAS,
        REPLICA,
        DECIDING,
        POLICY,
        VERSION,
        WATCH,
        CERTIFICATE,
        RIGHTS
    }

    /**
     * The result of one check.
     *
     * @param next what to do about it; null if there is nothing to do
     */
    public record StatusCheck(
            CheckSubject check,
            CheckResult result,
            String evidence,
            @Nullable String next) {

        public static StatusCheck ok(CheckSubject check, String evidence) {
            return new StatusCheck(check, CheckResult.OK, evidence, null);
        }

        public static StatusCheck unknown(CheckSubject check, String evidence, @Nullable String next) {
            return new StatusCheck(check, CheckResult.UNKNOWN, evidence, next);
        }

        public static StatusCheck warn(CheckSubject check, String evidence, String next) {
            return new StatusCheck(check, CheckResult.WARN, evidence, next);
        }

        public static StatusCheck fail(CheckSubject check, String evidence, String next) {
            return new StatusCheck(check, CheckResult.FAIL, evidence, next);
        }
    }

    public InstallationStatusDocument {
        checks = List.copyOf(checks);
    }

    /** Returns the document of a command that ended early. */
    public static InstallationStatusDocument ended(String error) {
        return new InstallationStatusDocument(CheckResult.UNKNOWN, /* proved= */ false, null, error, List.of());
    }

    /** Creates the document. Its checks are sorted by their subject. */
    public static InstallationStatusDocument of(boolean proved, @Nullable String namespace, List<StatusCheck> checks) {
        CheckResult worst = checks.stream()
                .map(StatusCheck::result)
                .max(Comparator.naturalOrder())
                .orElse(CheckResult.UNKNOWN);
        return new InstallationStatusDocument(
                worst,
                proved,
                namespace,
                null,
                checks.stream().sorted(Comparator.comparing(StatusCheck::check)).toList());
    }
}
