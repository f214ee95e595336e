package dev.sluice.tls;

import java.util.List;

/**
 * The purpose of a certificate of the gateway. It determines how the files of the certificate are named and checked.
 */
public enum CertificateUse {
    /** The servers of the gateway present the certificate to the API server and to other clients. */
    WEBHOOK("tls", "clientCa", "", ""),
    /** Replicas present the certificate to each other, as servers and as clients. */
    PEERS("peers", "authority", "peers-", " --peers");

    /**
     * The DNS name in the certificates of replicas. Replicas verify this name and not their addresses, which may
     * change.
     */
    public static final String PEER_NAME = "gpu-webhook-peers";

    private final String section;
    private final String authority;
    private final String prefix;
    private final String option;

    CertificateUse(String section, String authority, String prefix, String option) {
        this.section = section;
        this.authority = authority;
        this.prefix = prefix;
        this.option = option;
    }

    /** Returns the section of the configuration that contains the paths of the files. */
    public String section() {
        return section;
    }

    /** Returns the configuration key of the file with the certificate and its chain. */
    public String certificateKey() {
        return section + ".certificate";
    }

    public String privateKeyKey() {
        return section + ".key";
    }

    /** Returns the configuration key of the file with the authorities of client certificates. */
    public String authorityKey() {
        return section + "." + authority;
    }

    /** Returns the configuration keys of all files. */
    public List<String> keys() {
        return List.of(certificateKey(), privateKeyKey(), authorityKey());
    }

    /**
     * Returns the prefix of the names of the files that 'sluice certs make' writes. The keys in the Secret
     * gpu-webhook-certs have the same prefix.
     */
    public String prefix() {
        return prefix;
    }

    /** Returns the command that creates the files in a directory. The caller has to append the directory. */
    public String commandToMake() {
        return "sluice certs make" + option + " --dir ";
    }
}
