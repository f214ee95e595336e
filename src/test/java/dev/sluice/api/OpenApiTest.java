package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    @Test
    void theCommittedDocumentHasTheSchemasOfTheRecords() throws Exception {
        assertThat(Files.readString(OpenApiSchemas.DOCUMENT))
                .as("mvn test-compile exec:exec@openapi rewrites it")
                .isEqualTo(OpenApiSchemas.document());
    }

    @Test
    void everyReferenceOfTheDocumentLeadsSomewhere() throws Exception {
        JsonNode document = new ObjectMapper().readTree(OpenApiSchemas.DOCUMENT.toFile());

        assertThat(document.findValuesAsText("$ref"))
                .isNotEmpty()
                .allMatch(reference -> !document.at(reference.substring(1)).isMissingNode());
    }
}
