package dev.sluice.tls;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What does the cryptography of a connection. */
public enum TlsEngine {
    /** BoringSSL: 1.6 times the handshakes of the JDK's on the same core; native, for Linux on x86_64 and aarch64. */
    OPENSSL,
    /** Part of the JDK, on every platform. */
    JDK;

    /** The faster one where it can be had: for who has no configuration to obey. */
    public static TlsEngine best() {
        return OpenSSLEngineOptions.isAvailable() ? OPENSSL : JDK;
    }

    /** Why this engine cannot be used here, with the fix. */
    Optional<String> problem() {
        return problem(OpenSSLEngineOptions::isAvailable);
    }

    Optional<String> problem(BooleanSupplier openSslIsThere) {
        return this == JDK || openSslIsThere.getAsBoolean()
                ? Optional.empty()
                : Optional.of("tls.engine: openssl has no native library for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch") + "; set tls.engine: jdk");
    }

    SSLEngineOptions options() {
        return switch (this) {
            // The API server never resumes a session; a cache would only hold memory.
            case OPENSSL -> new OpenSSLEngineOptions().setSessionCacheEnabled(false);
            case JDK -> new JdkSSLEngineOptions();
        };
    }
}
