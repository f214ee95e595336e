package dev.sluice.it;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** For clients of this JVM. */
final class Trust {

    private Trust() {}

    /** Servers with a certificate of this authority, and no others. */
    static SSLContext in(CertificateAuthority authority) {
        return context(authority, null);
    }

    /** The same, for a client that shows this certificate. */
    static SSLContext in(CertificateAuthority authority, CertifiedKey shown) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("shown", shown.key(), new char[0], new Certificate[] {shown.certificate()});
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(store, new char[0]);
            return context(authority, keys.getKeyManagers());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK could not show a certificate", e);
        }
    }

    private static SSLContext context(CertificateAuthority authority, KeyManager @Nullable [] keys) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("authority", authority.identity().certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK could not trust a certificate", e);
        }
    }
}
