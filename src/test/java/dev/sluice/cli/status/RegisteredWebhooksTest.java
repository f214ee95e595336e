package dev.sluice.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.kube.client.ApiServerReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Webhooks are found in a list of any length, up to a bound that is told. */
class RegisteredWebhooksTest {

    private static final String LIST = "apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?limit=100";
    private static final String CONFIGURATION = """
            {"metadata": {"name": "ours"}, "webhooks": [
              {"name": "w", "clientConfig": {"service": {"name": "gpu-webhook", "namespace": "gpu"}}}]}""";

    private final List<String> asked = new ArrayList<>();

    private static ApiServerReply page(String items, String next) throws Exception {
        JsonNode body = new ObjectMapper()
                .readTree("{\"metadata\": {\"continue\": \"" + next + "\"}, \"items\": [" + items + "]}");
        return new ApiServerReply(200, List.of(), body);
    }

    @Test
    void aWebhookOnALaterPageIsFound() throws Exception {
        RegisteredWebhooks read = RegisteredWebhooks.read(path -> {
            asked.add(path);
            return path.equals(LIST) ? page("", "a b&c") : page(CONFIGURATION, "");
        });

        assertThat(asked).containsExactly(LIST, LIST + "&continue=a+b%26c");
        assertThat(read.all()).extracting(RegisteredWebhook::configuration).containsExactly("ours");
        assertThat(read.areKnown()).isTrue();
    }

    @Test
    void aListWithoutEndIsReadUpToABoundThatIsTold() throws Exception {
        RegisteredWebhooks read = RegisteredWebhooks.read(path -> {
            asked.add(path);
            return page(asked.size() == 2 ? CONFIGURATION : "", "more");
        });

        assertThat(asked).hasSize(10);
        assertThat(read.all()).hasSize(1);
        assertThat(read.areKnown()).isFalse();
        assertThat(read.problem()).isEqualTo("only the first 1000 mutatingwebhookconfigurations were read");
    }

    @Test
    void aListThatEndsInAnErrorIsNotTakenForAll() throws Exception {
        RegisteredWebhooks read = RegisteredWebhooks.read(path -> path.equals(LIST)
                ? page("", "more")
                : new ApiServerReply(410, List.of(), new ObjectMapper().readTree("{}")));

        assertThat(read.all()).isEmpty();
        assertThat(read.problem()).isEqualTo("the webhooks cannot be listed: the API server answered 410");
    }
}
