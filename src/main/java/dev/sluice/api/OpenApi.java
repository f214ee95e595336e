package dev.sluice.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The OpenAPI 3.1 description of the API, as {@code /api/v1/openapi.json} serves it. */
public final class OpenApi {

    public static final DocumentResponse DOCUMENT = DocumentResponse.ofJson(text());

    private OpenApi() {}

    private static String text() {
        try (InputStream document = Objects.requireNonNull(OpenApi.class.getResourceAsStream("/openapi.json"))) {
            return new String(document.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new IllegalStateException("the jar holds no document that can be read", broken);
        }
    }
}
