package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.config.WrittenPolicy;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpGatewayTest {

    private static final int REVIEWS = 12;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "policy: { chains: {}, whenNotOffered: deny }",
                "policy: { mode: availability, whenExhausted: deny }",
                "policy: { chains: { example.com/a: [example.com/b, example.com/c] } }"
            })
    void decidesEveryReviewByAnyPolicy(String text) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        ServerCertificateNames names = new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of());
        ServerTls tls = ServerTls.open(authority.issue(names, Instant.now(), Duration.ofDays(1)), TlsEngine.best());
        ActivePolicy policy = WrittenPolicy.of(text, directory);
        SluiceParts parts = new SluiceParts(
                tls.secure(new HttpServerOptions()),
                /* maxBodyBytes= */ 1 << 20,
                new HttpServerOptions(),
                policy,
                ReloadedPolicySource.FIXED,
                new ClusterSource.Embedded());
        assertThat(WarmUp.run(
                                new WarmUpGateway(parts),
                                policy.policies().base().chains().byHead().keySet(),
                                REVIEWS,
                                Duration.ofMinutes(1))
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(2, TimeUnit.MINUTES))
                .isGreaterThanOrEqualTo(REVIEWS);
    }
}
