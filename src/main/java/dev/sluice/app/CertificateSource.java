package dev.sluice.app;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.reload.CertificateVerticle;
import dev.sluice.reload.ReloadedTlsFiles;
import dev.sluice.tls.selfmanaged.SelfManagedTls;
import dev.sluice.tls.selfmanaged.SelfManagedVerticle;
import io.vertx.core.Deployable;
import java.time.InstantSource;

/** The source of the gateway's certificates: files, or certificates that the gateway creates itself. */
public sealed interface CertificateSource {

    /** Returns the certificate with which the gateway starts. */
    ActiveTlsMessage first();

    /** Returns the verticle that publishes every new certificate. */
    Deployable verticle(InstantSource clock);

    /** The certificates are in files that another program writes. */
    record MountedFiles(ReloadedTlsFiles source) implements CertificateSource {
        @Override
        public ActiveTlsMessage first() {
            return source.first();
        }

        @Override
        public Deployable verticle(InstantSource clock) {
            return new CertificateVerticle(source, clock);
        }
    }

    /** The replicas of the gateway create the certificates. */
    record OwnAuthority(SelfManagedTls source) implements CertificateSource {

        /**
         * Waits for the first certificate. Blocks. Throws ClusterStateException with a sentence for the user if there
         * is no certificate in time.
         */
        public static OwnAuthority start(SelfManagedTls.Settings settings, ClusterSource.Live cluster)
                throws ClusterStateException {
            return new OwnAuthority(SelfManagedTls.start(settings, cluster.client(), InstantSource.system()));
        }

        /**
         * Waits for the first certificate that identifies this replica to other replicas. Blocks. Throws
         * ClusterStateException with a sentence for the user if there is no certificate in time.
         */
        public static OwnAuthority startForPeers(SelfManagedTls.Settings settings, ClusterSource.Live cluster)
                throws ClusterStateException {
            return new OwnAuthority(SelfManagedTls.startForPeers(
                    settings.times(), settings.engine(), cluster.client(), InstantSource.system()));
        }

        @Override
        public ActiveTlsMessage first() {
            return source.first();
        }

        @Override
        public Deployable verticle(InstantSource clock) {
            return new SelfManagedVerticle(source, clock);
        }
    }
}
