package dev.sluice.it;

import dev.sluice.tls.CertificateAuthority;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** For clients of this JVM. */
final class Trust {

    private Trust() {}

    /** Servers with a certificate of this authority, and no others. */
    static SSLContext in(CertificateAuthority authority) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("authority", authority.identity().certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK could not trust a certificate", e);
        }
    }
}
