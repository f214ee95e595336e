package dev.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Without its classes, logback would write no line of the gateway, and the start would not fail. */
class LogConfigurationTest {

    @Test
    void theShippedConfigurationNamesClassesThatAreThere() throws JoranException {
        LoggerContext context = new LoggerContext();
        try {
            JoranConfigurator configurator = new JoranConfigurator();
            configurator.setContext(context);
            configurator.doConfigure(
                    Path.of("src", "main", "resources", "logback.xml").toFile());

            assertThat(context.getStatusManager().getCopyOfStatusList())
                    .isNotEmpty()
                    .allSatisfy(status -> assertThat(status.getLevel())
                            .as(status.getMessage())
                            .isLessThan(Status.WARN));
        } finally {
            context.stop();
        }
    }
}
