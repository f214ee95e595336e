package dev.sluice.tls;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The library that encrypts connections. */
public enum TlsEngine {
    /** BoringSSL does 1.6 times the handshakes of the JDK. It is native, for Linux on x86_64 and aarch64. */
    OPENSSL,
    /** The engine of the JDK works on every platform. */
    JDK;

    /** The faster engine that works on this platform. */
    public static TlsEngine best() {
        return OpenSSLEngineOptions.isAvailable() ? OPENSSL : JDK;
    }

    /** Why this engine cannot be used on this platform, and what to do about it. */
    public Optional<String> problem() {
        return problem(OpenSSLEngineOptions::isAvailable);
    }

    Optional<String> problem(BooleanSupplier openSslIsThere) {
        return this == JDK || openSslIsThere.getAsBoolean()
                ? Optional.empty()
                : Optional.of("tls.engine: openssl has no native library for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch") + "; set tls.engine: jdk");
    }

    /** The JDK reads it once, before its first handshake as a server. BoringSSL knows no renegotiation by clients. */
    private static void refuseRenegotiation() {
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    SSLEngineOptions options() {
        return switch (this) {
            // The API server never resumes a session; a cache would only hold memory.
            case OPENSSL -> new OpenSSLEngineOptions().setSessionCacheEnabled(false);
            case JDK -> {
                refuseRenegotiation();
                yield new JdkSSLEngineOptions();
            }
        };
    }
}
