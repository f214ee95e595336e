package dev.sluice.management;

import dev.sluice.api.ReplicaStatusDocument.RightStatus;
import dev.sluice.kube.client.OwnRights;
import dev.sluice.kube.client.OwnRights.RightAnswer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server whether this gateway has the rights that its configuration needs, and logs each right that is
 * missing. Without this log line, nobody would know, for example, why no Events are written. Only one event loop may
 * use it.
 */
final class ManagementRightsLog {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementRightsLog.class);

    /** The time for which an answer is reused, so that clients cause few requests to the API server. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** The pause after which the check at the start is repeated if the API server did not answer, in milliseconds. */
    private static final long AGAIN_MILLIS = 10_000;

    private final Context loop;
    private final InstantSource clock;
    private final OwnRights rights;
    private @Nullable Future<List<RightAnswer>> newest;
    private Instant askedAt = Instant.MIN;
    /** The missing rights that have been logged. */
    private Set<String> logged = Set.of();

    ManagementRightsLog(Context loop, InstantSource clock, OwnRights rights) {
        this.loop = loop;
        this.clock = clock;
        this.rights = rights;
    }

    /** Checks the rights until the API server has answered once. */
    void start() {
        ask().onSuccess(answers -> {
            if (answers.stream().anyMatch(answer -> answer.allowed() == null)) {
                loop.owner().setTimer(AGAIN_MILLIS, _ -> start());
            }
        });
    }

    /** Returns for each right that this gateway needs whether it has the right. The future never fails. */
    Future<List<RightStatus>> now() {
        return ask().map(answers ->
                answers.stream().map(ManagementRightsLog::status).toList());
    }

    private static RightStatus status(RightAnswer answer) {
        return new RightStatus(
                answer.right().words(),
                answer.right().neededFor(),
                answer.right().grantedBy(),
                answer.allowed(),
                answer.problem().isEmpty() ? null : answer.problem());
    }

    private Future<List<RightAnswer>> ask() {
        Future<List<RightAnswer>> known = newest;
        if (known != null && clock.instant().isBefore(askedAt.plus(FRESH))) {
            return known;
        }
        Promise<List<RightAnswer>> answered = Promise.promise();
        Thread.ofPlatform().daemon().name("rights").start(() -> {
            List<RightAnswer> answers = rights.ask();
            loop.runOnContext(_ -> answered.complete(answers));
        });
        askedAt = clock.instant();
        newest = answered.future().onSuccess(this::log);
        return newest;
    }

    private void log(List<RightAnswer> answers) {
        Set<String> missing = answers.stream()
                .filter(RightAnswer::isMissing)
                .map(answer -> answer.right().words() + ", for "
                        + answer.right().neededFor() + "; " + answer.right().grantedBy() + " grants it")
                .collect(Collectors.toSet());
        missing.stream()
                .filter(right -> !logged.contains(right))
                .sorted()
                .forEach(right -> LOG.atWarn()
                        .addKeyValue("right", right)
                        .log("the account of this gateway lacks a right that the configuration needs"));
        if (answers.stream().noneMatch(answer -> answer.allowed() == null)) {
            logged = missing;
        }
    }
}
