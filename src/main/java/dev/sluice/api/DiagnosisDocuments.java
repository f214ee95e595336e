package dev.sluice.api;

import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisFilter;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.TenantDiagnosis;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps the newest diagnosis and answers queries about it. It is not thread-safe. */
public final class DiagnosisDocuments {

    private static final List<String> PARAMETERS = List.of("namespace", "pod", "node");

    private final InstantSource clock;
    private DiagnosisState newest = new DiagnosisState.Off();

    public DiagnosisDocuments(InstantSource clock) {
        this.clock = clock;
    }

    public void keep(DiagnosisState state) {
        newest = state;
    }

    /** Returns the error for an invalid query. Returns empty if the query is valid. */
    public Optional<DocumentResponse> refusal(Map<String, String> parameters) {
        return DocumentResponse.unknownParameter(parameters.keySet(), PARAMETERS)
                .map(sentence -> DocumentResponse.problem(400, "Bad Request", sentence));
    }

    /**
     * Returns a function that creates the answer to a valid query. Any thread may call the function. A long answer
     * takes several milliseconds, so it should not be created on the event loop.
     *
     * @param tenant the only namespace that the answer may be about; empty for no limit
     */
    public Supplier<DocumentResponse> answer(Map<String, String> parameters, Optional<String> tenant) {
        DiagnosisState state = newest;
        Instant now = clock.instant();
        return () -> encoded(state, filter(parameters), tenant, now);
    }

    private static DiagnosisFilter filter(Map<String, String> parameters) {
        return new DiagnosisFilter(
                Optional.ofNullable(parameters.get("pod")),
                Optional.ofNullable(parameters.get("node")),
                Optional.ofNullable(parameters.get("namespace")));
    }

    private static DocumentResponse encoded(
            DiagnosisState state, DiagnosisFilter filter, Optional<String> tenant, Instant now) {
        return switch (state) {
            case DiagnosisState.Off _ ->
                DocumentResponse.problem(
                        404, "Not Found", "the cluster is not diagnosed; set management.diagnosisSeconds to 60");
            case DiagnosisState.Begun _ -> unavailable("the first diagnosis is under way");
            case DiagnosisState.NotDiagnosed failed ->
                unavailable("the newest attempt to diagnose the cluster failed"
                        + (tenant.isPresent() ? "" : ": " + failed.why()));
            case DiagnosisState.Known known
            when known.isOverdue(now) ->
                unavailable("the newest diagnosis is " + known.age(now).toSeconds()
                        + " s old, and the next one has been due for "
                        + Duration.between(known.nextDue(), now).toSeconds() + " s");
            case DiagnosisState.Known known -> {
                ClusterDiagnosis part = filter.of(known.report());
                yield DocumentResponse.of(DiagnosisDocument.of(
                        tenant.map(namespace -> TenantDiagnosis.of(part, namespace))
                                .orElse(part),
                        known.age(now).toSeconds()));
            }
        };
    }

    /**
     * Returns the error for a time without a current diagnosis. Even a large cluster is read within a few seconds, so
     * the client should ask again soon.
     */
    private static DocumentResponse unavailable(String detail) {
        return DocumentResponse.problem(503, "Service Unavailable", detail).retryAfter(5);
    }
}
