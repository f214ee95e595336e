package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import org.junit.jupiter.api.Test;

/** {@link SluiceSocketTest} shows that a gateway of the default configuration has none of these series. */
class VertxSeriesTest {

    @Test
    void theSeriesOfVertxAreShownWhereTheConfigurationAsksForThem() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(ActivePolicy.DEFAULT)) {
            assertThat(gateway.page("/metrics"))
                    .contains("vertx_eventbus_handlers{", "vertx_http_server_requests_total{", "vertx_pool_threads{")
                    .contains("gpu_webhook_scrape_missing{part=\"vertx\"} 0.0");
        }
    }
}
