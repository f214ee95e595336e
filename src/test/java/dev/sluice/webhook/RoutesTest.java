package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, methods and content types. */
@ExtendWith(GatewayExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesTest {

    private final TestGateway gateway;

    RoutesTest(TestGateway gateway) {
        this.gateway = gateway;
    }

    @AfterEach
    void servesTheNextOne() throws Exception {
        gateway.stillServes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mutate",
                "/mutate?timeout=10s",
                "/mutate?",
                "/mutate?a=/healthz&b=%zz",
                "/mutate--v1-pod",
                "/mutate--v1-pod?timeout=2s",
                "https://localhost/mutate"
            })
    void takesReviewsAt(String target) throws Exception {
        byte[] request = Requests.postTo(target, "application/json", Requests.REVIEW.getBytes(UTF_8));

        assertThat(gateway.ask(request).patch(Requests.UID)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/mutate/",
                "/Mutate",
                "/MUTATE",
                "/mutat",
                "/mutatee",
                "/mutate/x",
                "/mutate;x=1",
                "/mutate%00",
                "/mutate%20",
                "/%6dutate",
                "/mutat%65",
                "/mutate%2F",
                "//mutate",
                "///mutate",
                "/./mutate",
                "/x/../mutate",
                "/%2e%2e/mutate",
                "/mutate--v1-pod/",
                "/validate",
                "/livez",
                "/readyz",
                "/metrics",
                "/api/v1/capacity",
                "/console/",
                "/healthz/",
                "/%zz",
                "/mutate%",
                "mutate",
                "*",
                "localhost:443"
            })
    void hasNothingAt(String target) throws Exception {
        byte[] request = Requests.postTo(target, "application/json", Requests.REVIEW.getBytes(UTF_8));

        gateway.ask(request).isRefused(404, "path not found");
    }

    @Test
    void refusesARequestThatNamesNoHost() throws Exception {
        gateway.ask("GET /healthz HTTP/1.1\r\n\r\n").isRefused(400, "the Host header is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "OPTIONS", "DELETE", "PATCH", "TRACE", "PROPFIND", "post", "MUTATE"})
    void takesReviewsOnlyByPost(String method) throws Exception {
        Reply reply = gateway.ask(Requests.head(method + " /mutate"));

        assertThat(reply.isRefused(405, "only POST").header("allow")).isEqualTo("POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "OPTIONS", "DELETE", "get"})
    void answersHealthOnlyByGet(String method) throws Exception {
        Reply reply = gateway.ask(Requests.head(method + " /healthz", "Content-Length: 0"));

        assertThat(reply.isRefused(405, "only GET").header("allow")).isEqualTo("GET");
    }

    @ParameterizedTest
    @CsvSource({"/mutate, POST", "/healthz, GET"})
    void answersHeadWithoutABody(String path, String allowed) throws Exception {
        try (RawClient client = gateway.connect()) {
            Reply reply = client.send(Requests.head("HEAD " + path)).read(RawClient.Body.NONE);

            assertThat(reply.status()).isEqualTo(405);
            assertThat(reply.header("allow")).isEqualTo(allowed);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void isHealthyOnAConnectionThatStaysOpen() throws Exception {
        try (RawClient client = gateway.connect()) {
            for (int i = 0; i < 3; i++) {
                Reply reply = client.send(Requests.head("GET /healthz?verbose")).read();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo("ok\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "application/json;charset=utf-8",
                "application/json;charset=\"UTF-8\"",
                "Application/JSON; Charset=UTF-8",
                "application/json;",
                "application/json ;\tcharset=utf-8"
            })
    void takesJson(String contentType) throws Exception {
        byte[] request = Requests.postTo("/mutate", contentType, Requests.REVIEW.getBytes(UTF_8));

        assertThat(gateway.ask(request).patch(Requests.UID)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "application/yaml",
                "application/json-patch+json",
                "application/jsonp",
                "application/vnd.api+json",
                "application / json",
                "text/plain, application/json",
                "application/json; charset=utf-16",
                "application/json; charset=iso-8859-1",
                "application/json; charset="
            })
    void takesNothingElse(String contentType) throws Exception {
        byte[] request = Requests.postTo("/mutate", contentType, Requests.REVIEW.getBytes(UTF_8));

        gateway.ask(request).isRefused(415, "must be application/json");
    }

    @Test
    void takesNothingThatDoesNotSayWhatItIs() throws Exception {
        String head = Requests.head("POST /mutate", "Content-Length: " + Requests.REVIEW.length());

        gateway.ask(head + Requests.REVIEW).isRefused(415, "must be application/json");
    }
}
