package dev.sluice.management.access;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by what the API server says of a token and a path, and remembers it for a while. It keeps digests and no
 * tokens. One event loop owns it; the questions are asked on other threads.
 *
 * <p>Whoever sends one invalid token after the other is a stranger, and costs other strangers their questions. Those
 * who were allowed before keep theirs, and what is remembered of them.
 */
public final class AccessGate {

    /** The longest token that the API server is asked about. Those of service accounts have 1 to 2 KiB. */
    public static final int LONGEST_TOKEN = 16 * 1024;

    /** How long an allowed request is remembered. For so long a token is let in after its owner has lost the right. */
    static final Duration ALLOWED_FOR = Duration.ofSeconds(60);

    /** How long a request is no stranger after it was allowed. Monitoring asks again each minute. */
    static final Duration FAMILIAR_FOR = Duration.ofHours(1);

    static final Duration DENIED_FOR = Duration.ofSeconds(10);

    /** Of the allowed, and of the denied. */
    static final int MOST_REMEMBERED = 1_024;

    /** Questions at once. */
    static final int MOST_QUESTIONS = 4;

    /** So many of them may be those of strangers. */
    static final int MOST_OF_STRANGERS = 2;

    /** The API server answers within milliseconds, so a bound of the questions at once is none of their rate. */
    static final int STRANGERS_A_SECOND = 20;

    /** For both questions about a request together. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(AccessGate.class);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private record Remembered(AccessDecision decision, Instant since) {}

    private final AccessQuestions questions;
    private final InstantSource clock;
    private final Executor askers;
    private final Executor loop;
    private final SequencedMap<String, Instant> allowedAt = new LinkedHashMap<>();
    private final SequencedMap<String, Remembered> denied = new LinkedHashMap<>();
    private final Map<String, CompletableFuture<AccessDecision>> asked = new HashMap<>();
    private final TokenBucket strangers;
    private Instant quietUntil = Instant.MIN;

    /**
     * A gate that remembers nothing yet.
     *
     * @param askers runs questions, which block
     * @param loop runs what follows from an answer; all calls must come from there
     */
    public AccessGate(AccessQuestions questions, InstantSource clock, Executor askers, Executor loop) {
        this.questions = questions;
        this.clock = clock;
        this.askers = askers;
        this.loop = loop;
        this.strangers = new TokenBucket(STRANGERS_A_SECOND, STRANGERS_A_SECOND, clock.instant());
    }

    /** Never fails. */
    public CompletableFuture<AccessDecision> decide(String token, String path) {
        if (token.isEmpty() || token.length() > LONGEST_TOKEN) {
            return CompletableFuture.completedFuture(AccessDecision.NOT_AUTHENTICATED);
        }
        String key = digest(token, path);
        Optional<AccessDecision> remembered = remembered(key);
        if (remembered.isPresent()) {
            return CompletableFuture.completedFuture(remembered.get());
        }
        CompletableFuture<AccessDecision> underWay = asked.get(key);
        if (underWay != null) {
            return underWay;
        }
        return mayAsk(key) ? ask(key, token, path) : CompletableFuture.completedFuture(AccessDecision.UNKNOWN);
    }

    /** The NUL, which no header holds, parts the two. Hashing the path too bounds what is kept of it. */
    private static String digest(String token, String path) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest((token + "\0" + path).getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private Optional<AccessDecision> remembered(String key) {
        if (wasAllowed(key, ALLOWED_FOR)) {
            return Optional.of(AccessDecision.ALLOWED);
        }
        return Optional.ofNullable(denied.get(key))
                .filter(no -> isWithin(DENIED_FOR, no.since()))
                .map(Remembered::decision);
    }

    private boolean wasAllowed(String key, Duration within) {
        Instant at = allowedAt.get(key);
        return at != null && isWithin(within, at);
    }

    private boolean isWithin(Duration time, Instant since) {
        return clock.instant().isBefore(since.plus(time));
    }

    private boolean mayAsk(String key) {
        if (asked.size() >= MOST_QUESTIONS) {
            return false;
        }
        return !isStranger(key)
                || (asked.keySet().stream().filter(this::isStranger).count() < MOST_OF_STRANGERS
                        && strangers.takeIfAny(clock.instant()));
    }

    private boolean isStranger(String key) {
        return !wasAllowed(key, FAMILIAR_FOR);
    }

    private CompletableFuture<AccessDecision> ask(String key, String token, String path) {
        CompletableFuture<AccessDecision> pending = new CompletableFuture<>();
        asked.put(key, pending);
        askers.execute(() -> {
            GateAnswer answer = answer(token, path);
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

    private GateAnswer answer(String token, String path) {
        long begin = System.nanoTime();
        try {
            Optional<Caller> caller = questions.authenticate(token, PATIENCE);
            if (caller.isEmpty()) {
                return GateAnswer.of(AccessDecision.NOT_AUTHENTICATED);
            }
            Duration left = PATIENCE.minusNanos(System.nanoTime() - begin);
            if (!left.isPositive()) {
                throw new IOException("the API server took " + PATIENCE.toSeconds() + " s to answer");
            }
            return GateAnswer.of(
                    questions.mayGet(caller.get(), path, left)
                            ? AccessDecision.ALLOWED
                            : AccessDecision.NOT_AUTHORISED);
        } catch (IOException | RuntimeException noAnswer) {
            return new GateAnswer(AccessDecision.UNKNOWN, Optional.of(reason(noAnswer)));
        }
    }

    private static String reason(Exception noAnswer) {
        String message = noAnswer instanceof IOException ? noAnswer.getMessage() : null;
        return message == null ? noAnswer.toString() : message;
    }

    /** An unknown answer is not kept, so the next request asks again. */
    private void remember(String key, AccessDecision decision) {
        Instant now = clock.instant();
        switch (decision) {
            case ALLOWED -> putLast(allowedAt, key, now);
            case NOT_AUTHENTICATED, NOT_AUTHORISED -> {
                allowedAt.remove(key);
                putLast(denied, key, new Remembered(decision, now));
            }
            case UNKNOWN -> {}
        }
    }

    /** The first makes room: within a map all last equally long, so it is the next to end. */
    private static <V> void putLast(SequencedMap<String, V> map, String key, V value) {
        var _ = map.putLast(key, value);
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
