package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningGatewayTokenTest {

    @TempDir
    Path directory;

    private Instant now = Instant.EPOCH;

    private RunningGatewayToken headerOf(Path file) throws UserProblem {
        return new RunningGatewayToken(
                new GatewayCredentials(Optional.of(file), Optional.empty())::authorization, () -> now);
    }

    @Test
    void aTokenThatIsRenewedInItsFileIsUsedAfterAMinute() throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "first\n");
        RunningGatewayToken header = headerOf(file);
        Files.writeString(file, "second\n");
        now = now.plus(RunningGatewayToken.READ_EVERY).minusMillis(1);
        assertThat(header.get()).contains("Bearer first");
        now = now.plusMillis(1);
        assertThat(header.get()).contains("Bearer second");

        Files.writeString(file, "");
        now = now.plus(RunningGatewayToken.READ_EVERY);
        assertThat(header.get()).as("while the file is being written").contains("Bearer second");
    }

    /** The clock was an hour fast. */
    @Test
    void aTokenIsReadAgainAlsoAfterTheClockWasSetBack() throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "first\n");
        RunningGatewayToken header = headerOf(file);
        Files.writeString(file, "second\n");
        now = now.minus(Duration.ofHours(1));
        assertThat(header.get()).contains("Bearer second");
    }
}
