package dev.sluice.app;

import dev.sluice.bus.ActiveTls;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.reload.CertificateVerticle;
import dev.sluice.reload.TlsSource;
import dev.sluice.tls.selfmanaged.SelfManagedTls;
import dev.sluice.tls.selfmanaged.SelfManagedVerticle;
import io.vertx.core.Deployable;
import java.time.InstantSource;

/** Where the gateway's certificates come from. */
public sealed interface CertificateSource {

    /** What is served at the start. */
    ActiveTls first();

    /** The verticle that publishes each later certificate that is to be served. */
    Deployable verticle(InstantSource clock);

    /** Somebody else writes them into files. */
    record MountedFiles(TlsSource source) implements CertificateSource {
        @Override
        public ActiveTls first() {
            return source.first();
        }

        @Override
        public Deployable verticle(InstantSource clock) {
            return new CertificateVerticle(source, clock);
        }
    }

    /** The replicas of the gateway make them. */
    record OwnAuthority(SelfManagedTls source) implements CertificateSource {

        /** Blocks until there is a certificate. Throws SourceProblem with a sentence if there is none in time. */
        public static OwnAuthority start(SelfManagedTls.Settings settings, ClusterSource.Live cluster)
                throws SourceProblem {
            return new OwnAuthority(SelfManagedTls.start(settings, cluster.client(), InstantSource.system()));
        }

        @Override
        public ActiveTls first() {
            return source.first();
        }

        @Override
        public Deployable verticle(InstantSource clock) {
            return new SelfManagedVerticle(source, clock);
        }
    }
}
