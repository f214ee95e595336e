package dev.sluice.webhook.intake;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a TLS handshake failed. Both engines tell it only in the messages of their exceptions, which these patterns
 * match; {@link #OTHER} stands for all other messages.
 */
public enum HandshakeFailure {
    /** The client refused our certificate: it does not trust its authority, or the name or the time do not fit. */
    REFUSED_BY_CLIENT("alert.*(bad_certificate|unknown_ca|certificate_(expired|unknown|revoked)|unsupported_certificate"
            + "|unknown ca|bad certificate|certificate (expired|unknown|revoked)|unsupported certificate)"
            + "|alert_(bad_certificate|unknown_ca|certificate_(expired|unknown|revoked)|unsupported_certificate)"),
    /** The client showed no certificate although one is required. */
    NO_CLIENT_CERTIFICATE("peer_did_not_return_a_certificate|empty (client|server) certificate chain"
            + "|empty (client|server)? ?certificate|client certificate.*required"),
    /** The client's certificate is not of the authorities in tls.clientCa, or has expired. */
    BAD_CLIENT_CERTIFICATE(
            "certpath|certificate_verify_failed|certificateexception|pkix|validatorexception" + "|certificate_unknown"),
    /** The client speaks no version of TLS that is served. */
    VERSION("unsupported_protocol|protocol_version|no_protocols|client requested protocol|unsupported or unrecognized"
            + " ssl|wrong_version|unsupported_version|not accepted by server preferences"),
    /** The client offers no cipher suite or curve that is served. */
    CIPHERS("no_shared_cipher|no cipher suites in common|no_shared_group|no common group|no_common_signature"),
    /** What came is not TLS. */
    NOT_TLS("not an ssl/tls record|notsslrecord|http_request|unsupported or unrecognized ssl message"),
    /** The handshake took too long. */
    TIMEOUT("timed out|timeout"),
    /** The client went away. */
    CLOSED("closed|connection reset|broken pipe|eof|reset by peer"),
    OTHER("");

    private static final int MOST_CAUSES = 10;

    private static final Map<HandshakeFailure, Predicate<String>> PATTERNS = Stream.of(values())
            .collect(Collectors.toUnmodifiableMap(
                    cause -> cause, cause -> Pattern.compile(cause.words).asPredicate()));

    private final String words;

    HandshakeFailure(String words) {
        this.words = words;
    }

    public static HandshakeFailure of(Throwable failure) {
        String text = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(MOST_CAUSES)
                .map(String::valueOf)
                .reduce("", (all, one) -> all + one + "\n")
                .toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(cause -> Objects.requireNonNull(PATTERNS.get(cause)).test(text))
                .findFirst()
                .orElse(OTHER);
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
