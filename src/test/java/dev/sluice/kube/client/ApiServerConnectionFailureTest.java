package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ApiServerConnectionFailureTest {

    private static String reason(Throwable innermost) {
        return ApiServerConnectionFailure.reason(new ExecutionException(new IOException(innermost)));
    }

    @Test
    void putsIntoWordsWhatTheClientGivesAClassFor() {
        assertThat(reason(new ConnectException())).isEqualTo("connection refused or closed");
        assertThat(reason(new ClosedChannelException())).isEqualTo("connection refused or closed");
        assertThat(reason(new UnknownHostException("api.example"))).isEqualTo("the host's name is unknown");
    }

    @Test
    void takesTheFirstLineOfTheInnermostMessage() {
        assertThat(reason(new IOException("Connection reset\n at no line"))).isEqualTo("Connection reset");
    }
}
