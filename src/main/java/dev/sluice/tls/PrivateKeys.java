package dev.sluice.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;

/** Reads private keys in the PEM formats PKCS#8, PKCS#1 and SEC1, and checks that a key belongs to a certificate. */
public final class PrivateKeys {

    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final byte[] PROBE = "sluice".getBytes(StandardCharsets.US_ASCII);

    private PrivateKeys() {}

    /** Returns the first private key of a PEM text; empty if there is none or if the JDK cannot read it. */
    public static Optional<PrivateKey> read(String pem) {
        return PemBlock.parse(pem).stream()
                .filter(PemBlock::isPrivateKey)
                .findFirst()
                .flatMap(PrivateKeys::read);
    }

    /** Returns the private key; empty if the block is not a private key that the JDK can read. */
    public static Optional<PrivateKey> read(PemBlock block) {
        try {
            byte[] der = block.der();
            byte[] pkcs8 = switch (block.label()) {
                case PemBlock.PKCS1 -> Der.pkcs8OfPkcs1(der);
                case PemBlock.SEC1 -> Der.pkcs8OfSec1(der);
                default -> der;
            };
            return ALGORITHMS.stream()
                    .flatMap(algorithm -> decode(algorithm, pkcs8).stream())
                    .findFirst();
        } catch (IllegalArgumentException notBase64OrNotDer) {
            return Optional.empty();
        }
    }

    private static Optional<PrivateKey> decode(String algorithm, byte[] pkcs8) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
        } catch (GeneralSecurityException ofAnotherAlgorithm) {
            return Optional.empty();
        }
    }

    /**
     * Returns true if the public key verifies a signature that was made with the private key. Vert.x does not check
     * this: it would start with a wrong key of the same algorithm, and every handshake would fail.
     */
    public static boolean belong(PrivateKey key, PublicKey publicKey) {
        try {
            Signature signature = Signature.getInstance(signatureOf(publicKey));
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException strangers) {
            return false;
        }
    }

    private static String signatureOf(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        };
    }
}
