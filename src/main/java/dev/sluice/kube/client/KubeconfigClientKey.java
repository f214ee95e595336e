package dev.sluice.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.tls.PemBlock;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PrivateKeys;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Converts the private key of a client certificate to a form that fabric8 can read. Fabric8 treats a key as an RSA key
 * unless its PEM label contains EC, so it cannot read an EC key in PKCS#8. For an EC key in SEC1, fabric8 generates a
 * key pair only to find the curve, which takes time.
 */
final class KubeconfigClientKey {

    private static final String EC = "EC";

    private KubeconfigClientKey() {}

    static void prepare(Config config, String where) throws ClusterStateException {
        String pem = pem(config, where);
        if (pem == null) {
            return;
        }
        PrivateKeys.read(pem)
                .filter(key -> key.getAlgorithm().equals(EC))
                .map(KubeconfigClientKey::encoded)
                .ifPresent(key -> {
                    config.setClientKeyData(key);
                    config.setClientKeyAlgo(EC);
                });
    }

    /** Encodes the key as PEM in base64, which is the form in a kubeconfig. */
    private static String encoded(PrivateKey key) {
        return Base64.getEncoder()
                .encodeToString(
                        PemBlock.encode(PemBlock.PKCS8, key.getEncoded()).getBytes(UTF_8));
    }

    private static @Nullable String pem(Config config, String where) throws ClusterStateException {
        try {
            if (config.getClientKeyData() != null) {
                return new String(Base64.getMimeDecoder().decode(config.getClientKeyData()), UTF_8);
            }
            return config.getClientKeyFile() == null
                    ? null
                    : PemFile.read(Path.of(config.getClientKeyFile())).text();
        } catch (PemFile.UnusableFileException unusable) {
            throw new ClusterStateException(where + ": the client key " + unusable.getMessage(), unusable);
        } catch (IllegalArgumentException broken) {
            throw new ClusterStateException(where + ": client-key-data is not base64", broken);
        }
    }
}
