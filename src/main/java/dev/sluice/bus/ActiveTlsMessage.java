package dev.sluice.bus;

import dev.sluice.tls.ServerTls;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The TLS settings that the servers of the gateway use now.
 *
 * @param authorities the authorities with which clients verify the server certificate; empty if they are unknown
 * @param readAt the time at which the certificate was read
 * @param generation the sequence number of the certificate. It is 1 at the start, and increases by 1 with each change
 */
public record ActiveTlsMessage(ServerTls tls, List<X509Certificate> authorities, Instant readAt, long generation) {

    public ActiveTlsMessage {
        authorities = List.copyOf(authorities);
    }

    public static ActiveTlsMessage first(ServerTls tls, List<X509Certificate> authorities, Instant readAt) {
        return new ActiveTlsMessage(tls, authorities, readAt, 1);
    }

    /** Returns the time at which the served certificate expires. */
    public Instant notAfter() {
        return tls.identity().certificate().getNotAfter().toInstant();
    }

    /** Returns the earliest time at which one of the authorities expires. Returns empty if no authority is known. */
    public Optional<Instant> authoritiesNotAfter() {
        return authorities.stream()
                .map(authority -> authority.getNotAfter().toInstant())
                .min(Comparator.naturalOrder());
    }

    public boolean hasExpired(Instant now) {
        return now.isAfter(notAfter());
    }
}
