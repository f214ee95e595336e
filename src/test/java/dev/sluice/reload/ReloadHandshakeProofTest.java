package dev.sluice.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pairs that fit each other, and of which only a handshake shows whether a client takes them. */
class ReloadHandshakeProofTest {

    private final CertificateAuthority authority = Certificates.authority();

    @ParameterizedTest
    @EnumSource
    void provesPairsThatClientsTake(TlsEngine engine) throws Exception {
        CertifiedKey leaf = Certificates.leaf(authority);
        CertifiedKey withAuthority = new CertifiedKey(
                List.of(leaf.certificate(), authority.identity().certificate()), leaf.key());
        for (CertifiedKey pair : List.of(leaf, withAuthority, Certificates.rsaLeaf(authority))) {
            assertThat(ReloadHandshakeProof.problem(ServerTls.open(pair, engine)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKeyThatIsTooShort(TlsEngine engine) throws Exception {
        CertifiedKey weak = Certificates.selfSigned(
                Certificates.keys("RSA", new RSAKeyGenParameterSpec(512, RSAKeyGenParameterSpec.F4)));

        assertThat(ReloadHandshakeProof.problem(ServerTls.open(weak, engine)))
                .hasValueSatisfying(problem -> assertThat(problem).contains("a handshake with it failed"));
    }
}
