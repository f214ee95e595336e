package dev.sluice.tls;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The library that provides TLS. */
public enum TlsEngine {
    /**
     * BoringSSL, which completes 1.6 times as many handshakes as the JDK in the same time. It is a native library for
     * Linux on x86_64 and aarch64.
     */
    OPENSSL,
    /** The implementation of the JDK, which works on every platform. */
    JDK;

    /** Returns the fastest engine that works on this platform. */
    public static TlsEngine best() {
        return OpenSSLEngineOptions.isAvailable() ? OPENSSL : JDK;
    }

    /**
     * Returns why this engine cannot be used on this platform, and what to do about it. Returns empty if it can be
     * used.
     */
    public Optional<String> problem() {
        return problem(OpenSSLEngineOptions::isAvailable);
    }

    Optional<String> problem(BooleanSupplier openSslIsThere) {
        return this == JDK || openSslIsThere.getAsBoolean()
                ? Optional.empty()
                : Optional.of("tls.engine: openssl has no native library for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch") + "; set tls.engine: jdk");
    }

    /**
     * Sets the system property that prevents clients from renegotiating a TLS session. The JDK reads it once, before
     * its first handshake as a server. BoringSSL needs no setting.
     */
    private static void refuseRenegotiation() {
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    /** Returns the options with which Vert.x uses this engine. */
    public SSLEngineOptions options() {
        return switch (this) {
            // The API server never resumes a TLS session, so a cache of sessions would only take memory.
            case OPENSSL -> new OpenSSLEngineOptions().setSessionCacheEnabled(false);
            case JDK -> {
                refuseRenegotiation();
                yield new JdkSSLEngineOptions();
            }
        };
    }
}
