package dev.sluice.cli.console;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.kube.client.ApiServerConnectionFailure;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A client for the management port of a running gateway.
 *
 * @param base the URL without a slash at its end
 * @param authorization returns the value of the header Authorization; empty if requests are sent without it
 */
public record GatewayApiClient(String base, HttpClient client, Supplier<Optional<String>> authorization) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_SECONDS_OF_PAUSE = 10;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int MEBIBYTE = 1 << 20;
    /** The maximum length of an answer in bytes. A gateway keeps its answers below a few MiB. */
    private static final long MOST_BYTES = 64L * MEBIBYTE;

    private static final int GROWTH = 32;
    /** The beginning of the error message of the JDK's client for an answer that is too long. */
    private static final String TOO_LONG = "body exceeds capacity";

    private static final ObjectMapper JSON = new ObjectMapper();

    public static GatewayApiClient at(String url, GatewayCredentials credentials) throws UserProblem {
        if (!url.matches("https?://[^/?#\\s]+/?")) {
            throw new UserProblem("--url " + url + " is not the address of a management port; expected one such as"
                    + " http://localhost:9090");
        }
        if (!url.startsWith("https:") && !credentials.equals(GatewayCredentials.NONE)) {
            throw new UserProblem("--token-file and --ca-file are for an https URL, and --url is " + url
                    + "; everybody on the way could read the token");
        }
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        credentials.trust().ifPresent(client::sslContext);
        return new GatewayApiClient(
                url.replaceFirst("/$", ""),
                client.build(),
                new RunningGatewayToken(credentials::authorization, InstantSource.system()));
    }

    /** Sends JSON to this path by POST, and returns the JSON of the answer. */
    public JsonNode post(String path, Map<String, String> parameters, String json)
            throws UserProblem, InterruptedException {
        return ask(path, parameters, Optional.of(json), /* patient= */ false);
    }

    /**
     * Returns the JSON at this path.
     *
     * @param patient true to repeat the request for as long as the gateway is too busy; false to repeat it at most once
     */
    public JsonNode get(String path, Map<String, String> parameters, boolean patient)
            throws UserProblem, InterruptedException {
        return ask(path, parameters, Optional.empty(), patient);
    }

    private JsonNode ask(String path, Map<String, String> parameters, Optional<String> body, boolean patient)
            throws UserProblem, InterruptedException {
        String query = parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String url = base + path + (query.isEmpty() ? "" : "?" + query);
        HttpResponse<String> answer = send(url, "application/json", body);
        for (boolean again = true; again && isBusy(answer, patient); again = patient) {
            Thread.sleep(pause(answer));
            answer = send(url, "application/json", body);
        }
        if (answer.statusCode() == TOO_MANY_REQUESTS) {
            throw new UserProblem(
                    base + " is asked more than it answers at once, and was so a moment ago; try again later");
        }
        JsonNode json;
        try {
            json = JSON.readTree(answer.body());
        } catch (JacksonException _) {
            throw new UserProblem(base + path + " answers " + answer.statusCode()
                    + " and no JSON; --url must name the management port of a gateway");
        }
        if (answer.statusCode() != 200) {
            throw new UserProblem(base + " answers " + answer.statusCode() + ": "
                    + json.path("detail").asText() + advice(answer.statusCode(), path, parameters));
        }
        return json;
    }

    /**
     * Returns what the user can do about an error, to be appended to the gateway's message. Returns an empty text if
     * the message is sufficient.
     */
    private static String advice(int status, String path, Map<String, String> parameters) {
        if (status == 403 && !parameters.containsKey("namespace")) {
            return " (the option -n)";
        }
        return status == 404 && path.equals("/api/v1/explain")
                ? "; perhaps its version is older than this command"
                : "";
    }

    /**
     * Returns true if the request should be repeated, because the gateway has too many requests. If {@code patient} is
     * true, also returns true if the gateway is not ready yet and states when to ask again.
     */
    private static boolean isBusy(HttpResponse<?> answer, boolean patient) {
        return answer.statusCode() == TOO_MANY_REQUESTS
                || (patient
                        && answer.statusCode() == UNAVAILABLE
                        && answer.headers().firstValue("Retry-After").isPresent());
    }

    private static Duration pause(HttpResponse<?> answer) {
        String seconds = answer.headers().firstValue("Retry-After").orElse("");
        // The header may contain a date instead of seconds. The pause is then one second.
        return seconds.matches("[0-9]{1,9}")
                ? Duration.ofSeconds(Math.clamp(Long.parseLong(seconds), 1, MOST_SECONDS_OF_PAUSE))
                : Duration.ofSeconds(1);
    }

    /**
     * Returns a problem with the gateway's certificate and what to do about it. Returns empty if the request failed for
     * another reason. The problem contains no causing exception, so that callers do not repeat the request.
     */
    private Optional<UserProblem> badCertificate(Throwable failure) {
        List<Throwable> causes =
                Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
        String advice;
        if (causes.stream().anyMatch(CertificateExpiredException.class::isInstance)) {
            advice = "the gateway must be given a new one";
        } else if (causes.stream()
                .anyMatch(cause ->
                        cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException)) {
            advice = "--ca-file must hold the authority that issued it";
        } else if (causes.stream().anyMatch(CertificateException.class::isInstance)) {
            advice = "--url must have a name that the certificate bears (tls.selfManaged.names adds names)";
        } else {
            return Optional.empty();
        }
        return Optional.of(new UserProblem("the certificate of " + base + " is not accepted ("
                + ApiServerConnectionFailure.reason(failure) + "); " + advice));
    }

    /** Returns the metrics in the text format of Prometheus. */
    public String metrics() throws UserProblem, InterruptedException {
        HttpResponse<String> answer = send(base + "/metrics", "text/plain", Optional.empty());
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            throw new UserProblem(base + "/metrics answers " + answer.statusCode()
                    + "; --token-file must hold a token whose owner may get /metrics");
        }
        if (answer.statusCode() != 200) {
            throw new UserProblem(base + "/metrics answers " + answer.statusCode()
                    + "; --url must name the management port of a gateway");
        }
        return answer.body();
    }

    /**
     * Returns the maximum length of an answer in bytes. It is only a part of the heap, because the texts and objects
     * that are created from an answer take several times as much memory as the answer.
     */
    private static long mostBytes() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / GROWTH, (long) MEBIBYTE, MOST_BYTES);
    }

    private HttpResponse<String> send(String url, String accepted, Optional<String> body)
            throws UserProblem, InterruptedException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).header("Accept", accepted);
            authorization.get().ifPresent(header -> request.header("Authorization", header));
            body.ifPresent(json ->
                    request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json)));
            return client.send(request.build(), BodyHandlers.limiting(BodyHandlers.ofString(), mostBytes()));
        } catch (IOException | IllegalArgumentException failure) {
            if (String.valueOf(failure.getMessage()).startsWith(TOO_LONG)) {
                throw new UserProblem(base + " answers with more than " + mostBytes() / MEBIBYTE
                        + " MiB; --url must name the management port of a gateway");
            }
            Optional<UserProblem> certificate = badCertificate(failure);
            if (certificate.isPresent()) {
                throw certificate.get();
            }
            throw new UserProblem(
                    List.of(
                            base + " does not answer (" + ApiServerConnectionFailure.reason(failure) + ")",
                            "Name the management port of a running gateway with --url; one in a cluster is reached"
                                    + " after: kubectl -n gpu-webhook port-forward deploy/gpu-webhook 9090",
                            "One with management.access: kubernetes needs an https URL, --token-file and --ca-file"),
                    failure);
        }
    }
}
