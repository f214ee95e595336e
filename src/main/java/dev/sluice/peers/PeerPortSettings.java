package dev.sluice.peers;

import dev.sluice.tls.ServerTls;

/**
 * The settings of the port on which replicas communicate.
 *
 * @param advertisedAddress the address at which other replicas reach this port: host and port, with an IPv6 address in
 *     brackets
 * @param tls the certificate of this replica, and the authorities that sign the certificates of replicas. At least one
 *     authority is required, because every replica has to show a certificate
 */
public record PeerPortSettings(String host, int port, String advertisedAddress, ServerTls tls) {

    public PeerPortSettings {
        if (tls.clientAuthorities().isEmpty()) {
            throw new IllegalArgumentException("replicas need an authority for the certificates of their peers");
        }
    }
}
