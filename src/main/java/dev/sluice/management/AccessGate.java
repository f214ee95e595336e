package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.kube.client.Caller;
import dev.sluice.log.TokenBucket;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server whether the owner of a token has the right that a request needs, and remembers the decision for a
 * while. It stores digests of tokens and not the tokens. All calls come from one event loop, and other threads send the
 * requests to the API server.
 *
 * <p>A client is a stranger unless a request with the same token and right was allowed recently. Requests to the API
 * server about strangers have a limit of their own, so many invalid tokens delay only strangers. Each namespace also
 * has limits of its own, so a tenant with many tokens displaces only the decisions about its namespace.
 */
final class AccessGate {

    /**
     * The maximum length of a token, in characters. A longer token is regarded as not valid. The tokens of service
     * accounts have 1 to 2 KiB.
     */
    static final int LONGEST_TOKEN = 16 * 1024;

    /**
     * The time for which an allowed request is remembered. If the owner of a token loses the right, the token is still
     * accepted for this time.
     */
    static final Duration ALLOWED_FOR = Duration.ofSeconds(60);

    /**
     * The time after an allowed request during which the client does not count as a stranger. Monitoring sends a
     * request once a minute, so it never becomes a stranger.
     */
    static final Duration FAMILIAR_FOR = Duration.ofHours(1);

    static final Duration DENIED_FOR = Duration.ofSeconds(10);

    /** The maximum number of remembered decisions of each kind: allowed and denied. */
    static final int MOST_REMEMBERED = 1_024;

    /** The maximum number of remembered decisions of each kind for one namespace. */
    static final int MOST_OF_A_NAMESPACE = 32;

    /** The maximum number of requests to the API server at the same time. */
    static final int MOST_QUESTIONS = 4;

    /** The maximum number of requests to the API server for one namespace at the same time. */
    static final int MOST_QUESTIONS_OF_A_NAMESPACE = 2;

    /** The maximum number of requests to the API server about strangers at the same time. */
    static final int MOST_OF_STRANGERS = 2;

    /**
     * The maximum number of requests to the API server about strangers in a second. The API server answers within
     * milliseconds, so the limit of simultaneous requests alone would allow a high rate.
     */
    static final int STRANGERS_A_SECOND = 20;

    /** The time limit for all requests to the API server that one request of a client causes. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(AccessGate.class);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private record Remembered(AccessDecision decision, Instant since) {}

    /**
     * Identifies a token and a right. The digest is made from the token and the path of the right. The namespace is
     * empty if the right has no namespace.
     */
    private record GateKey(String digest, String namespace) {}

    private final AccessQuestions questions;
    private final InstantSource clock;
    private final Executor askers;
    private final Executor loop;
    private final SequencedMap<GateKey, Remembered> allowed = new LinkedHashMap<>();
    private final SequencedMap<GateKey, Remembered> denied = new LinkedHashMap<>();
    private final Map<GateKey, CompletableFuture<AccessDecision>> asked = new HashMap<>();
    private final TokenBucket strangers;
    private Instant quietUntil = Instant.MIN;

    /**
     * Creates a gate that remembers nothing yet.
     *
     * @param askers executes the requests to the API server, which block
     * @param loop executes the tasks that follow an answer of the API server, on the event loop from which all calls of
     *     this class come
     */
    AccessGate(AccessQuestions questions, InstantSource clock, Executor askers, Executor loop) {
        this.questions = questions;
        this.clock = clock;
        this.askers = askers;
        this.loop = loop;
        this.strangers = new TokenBucket(STRANGERS_A_SECOND, STRANGERS_A_SECOND, clock.instant());
    }

    /** Decides whether the owner of this token has this right. The future never fails. */
    CompletableFuture<AccessDecision> decide(String token, AccessRight right) {
        if (token.isEmpty() || token.length() > LONGEST_TOKEN) {
            return CompletableFuture.completedFuture(AccessDecision.NOT_AUTHENTICATED);
        }
        GateKey key = new GateKey(digest(token, right.path()), right.namespace().orElse(""));
        Optional<AccessDecision> remembered = remembered(key);
        if (remembered.isPresent()) {
            return CompletableFuture.completedFuture(remembered.get());
        }
        CompletableFuture<AccessDecision> underWay = asked.get(key);
        if (underWay != null) {
            return underWay;
        }
        return mayAsk(key) ? ask(key, token, right) : CompletableFuture.completedFuture(AccessDecision.UNKNOWN);
    }

    /**
     * Returns the digest of a token and a path. A NUL separates the two, because no header can contain it. The path is
     * hashed as well, so that all digests have the same length.
     */
    private static String digest(String token, String path) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest((token + "\0" + path).getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private Optional<AccessDecision> remembered(GateKey key) {
        return within(ALLOWED_FOR, allowed.get(key)).or(() -> within(DENIED_FOR, denied.get(key)));
    }

    private Optional<AccessDecision> within(Duration time, @Nullable Remembered known) {
        return Optional.ofNullable(known)
                .filter(decided -> isWithin(time, decided.since()))
                .map(Remembered::decision);
    }

    private boolean isWithin(Duration time, Instant since) {
        return clock.instant().isBefore(since.plus(time));
    }

    private boolean mayAsk(GateKey key) {
        if (asked.size() >= MOST_QUESTIONS
                || (!key.namespace().isEmpty() && countOf(key.namespace(), asked) >= MOST_QUESTIONS_OF_A_NAMESPACE)) {
            return false;
        }
        return !isStranger(key)
                || (asked.keySet().stream().filter(this::isStranger).count() < MOST_OF_STRANGERS
                        && strangers.takeIfAny(clock.instant()));
    }

    private boolean isStranger(GateKey key) {
        return within(FAMILIAR_FOR, allowed.get(key)).isEmpty();
    }

    private static long countOf(String namespace, Map<GateKey, ?> map) {
        return map.keySet().stream()
                .filter(key -> key.namespace().equals(namespace))
                .count();
    }

    private CompletableFuture<AccessDecision> ask(GateKey key, String token, AccessRight right) {
        CompletableFuture<AccessDecision> pending = new CompletableFuture<>();
        asked.put(key, pending);
        askers.execute(() -> {
            GateAnswer answer = answer(token, right);
            loop.execute(() -> {
                asked.remove(key);
                answer.problem().ifPresent(this::warn);
                remember(key, answer.decision());
                var _ = pending.complete(answer.decision());
            });
        });
        return pending;
    }

    private record GateAnswer(AccessDecision decision, Optional<String> problem) {

        static GateAnswer of(AccessDecision decision) {
            return new GateAnswer(decision, Optional.empty());
        }
    }

    private GateAnswer answer(String token, AccessRight right) {
        long begin = System.nanoTime();
        try {
            Optional<Caller> caller = questions.authenticate(token, PATIENCE);
            if (caller.isEmpty()) {
                return GateAnswer.of(AccessDecision.NOT_AUTHENTICATED);
            }
            if (questions.mayGet(caller.get(), right.path(), left(begin))) {
                return GateAnswer.of(AccessDecision.ALLOWED);
            }
            boolean mayCreatePods = right.namespace().isPresent()
                    && questions.mayCreatePods(caller.get(), right.namespace().get(), left(begin));
            return GateAnswer.of(mayCreatePods ? AccessDecision.ALLOWED_FOR_NAMESPACE : AccessDecision.NOT_AUTHORISED);
        } catch (IOException | RuntimeException noAnswer) {
            return new GateAnswer(AccessDecision.UNKNOWN, Optional.of(reason(noAnswer)));
        }
    }

    /** Returns the remaining time for the next request to the API server. Throws IOException if no time is left. */
    private static Duration left(long begin) throws IOException {
        Duration left = PATIENCE.minusNanos(System.nanoTime() - begin);
        if (!left.isPositive()) {
            throw new IOException("the API server took " + PATIENCE.toSeconds() + " s to answer");
        }
        return left;
    }

    private static String reason(Exception noAnswer) {
        String message = noAnswer instanceof IOException ? noAnswer.getMessage() : null;
        return message == null ? noAnswer.toString() : message;
    }

    /** Remembers a decision. {@code UNKNOWN} is not remembered, so that the next request asks the API server again. */
    private void remember(GateKey key, AccessDecision decision) {
        Remembered remembered = new Remembered(decision, clock.instant());
        switch (decision) {
            case ALLOWED, ALLOWED_FOR_NAMESPACE -> putLast(allowed, key, remembered);
            case NOT_AUTHENTICATED, NOT_AUTHORISED -> {
                allowed.remove(key);
                putLast(denied, key, remembered);
            }
            case UNKNOWN -> {}
        }
    }

    /**
     * Adds an entry and removes the oldest one if there are too many. All entries of a map expire after the same time,
     * so the oldest entry is the next to expire.
     */
    private static void putLast(SequencedMap<GateKey, Remembered> map, GateKey key, Remembered value) {
        var _ = map.putLast(key, value);
        if (!key.namespace().isEmpty() && countOf(key.namespace(), map) > MOST_OF_A_NAMESPACE) {
            map.keySet().stream()
                    .filter(other -> other.namespace().equals(key.namespace()))
                    .findFirst()
                    .ifPresent(map::remove);
        }
        if (map.size() > MOST_REMEMBERED) {
            var _ = map.pollFirstEntry();
        }
    }

    private void warn(String problem) {
        Instant now = clock.instant();
        if (!now.isBefore(quietUntil)) {
            quietUntil = now.plus(BETWEEN_WARNINGS);
            LOG.atWarn()
                    .addKeyValue("problem", problem)
                    .log("the API server cannot be asked who may read the management port");
        }
    }
}
