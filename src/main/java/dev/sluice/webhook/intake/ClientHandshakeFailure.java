package dev.sluice.webhook.intake;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The causes of a failed TLS handshake. The TLS engines (JDK and OpenSSL) report the cause only in the message of an
 * exception, so each cause has a pattern that matches such messages. {@link #OTHER} is the cause for all other
 * messages.
 */
public enum ClientHandshakeFailure {
    /**
     * The client has rejected the gateway's certificate: it does not trust the issuer, the name does not match, or the
     * certificate is not valid at this time.
     */
    REFUSED_BY_CLIENT("alert.*(bad_certificate|unknown_ca|certificate_(expired|unknown|revoked)|unsupported_certificate"
            + "|unknown ca|bad certificate|certificate (expired|unknown|revoked)|unsupported certificate)"
            + "|alert_(bad_certificate|unknown_ca|certificate_(expired|unknown|revoked)|unsupported_certificate)"),
    /** The client sent no certificate, although the configuration requires one. */
    NO_CLIENT_CERTIFICATE("peer_did_not_return_a_certificate|empty (client|server) certificate chain"
            + "|empty (client|server)? ?certificate|client certificate.*required"),
    /** The client's certificate was not issued by an authority in tls.clientCa, or it has expired. */
    BAD_CLIENT_CERTIFICATE(
            "certpath|certificate_verify_failed|certificateexception|pkix|validatorexception" + "|certificate_unknown"),
    /** The client supports none of the TLS versions of the gateway. */
    VERSION("unsupported_protocol|protocol_version|no_protocols|client requested protocol|wrong_version"
            + "|unsupported_version|not accepted by server preferences"),
    /** The client supports none of the cipher suites or curves of the gateway. */
    CIPHERS("no_shared_cipher|no cipher suites in common|no_shared_group|no common group|no_common_signature"),
    /** The client sent something other than TLS. */
    NOT_TLS("not an ssl/tls record|notsslrecord|http_request|unsupported or unrecognized ssl message"),
    /** The handshake exceeded its time limit. */
    TIMEOUT("timed out|timeout"),
    /** The client closed the connection. */
    CLOSED("closed|connection reset|broken pipe|eof|reset by peer"),
    OTHER("");

    private static final int MOST_CAUSES = 10;

    private static final Map<ClientHandshakeFailure, Predicate<String>> PATTERNS = Stream.of(values())
            .collect(Collectors.toUnmodifiableMap(
                    cause -> cause, cause -> Pattern.compile(cause.words).asPredicate()));

    private final String words;

    ClientHandshakeFailure(String words) {
        this.words = words;
    }

    public static ClientHandshakeFailure of(Throwable failure) {
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
