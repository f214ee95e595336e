package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages are those of the JDK and of OpenSSL. */
class ClientHandshakeFailureTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Unsupported or unrecognized SSL message | NOT_TLS",
                "error:1000009c:SSL routines:OPENSSL_internal:HTTP_REQUEST | NOT_TLS",
                "Client requested protocol TLSv1.1 is not enabled or supported in server context | VERSION",
                "error:100000f0:SSL routines:OPENSSL_internal:UNSUPPORTED_PROTOCOL | VERSION",
                "no cipher suites in common | CIPHERS",
                "Received fatal alert: unknown_ca | REFUSED_BY_CLIENT",
                "Empty client certificate chain | NO_CLIENT_CERTIFICATE",
                "an unknown message | OTHER",
            })
    void theCauseIsReadFromTheMessage(String message, ClientHandshakeFailure cause) {
        assertThat(ClientHandshakeFailure.of(new IOException("handshake", new SSLHandshakeException(message))))
                .isEqualTo(cause);
        assertThat(ClientHandshakeFailure.of(new SSLException(message))).isEqualTo(cause);
    }
}
