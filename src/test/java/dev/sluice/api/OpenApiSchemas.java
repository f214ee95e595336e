package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedDecisionKind;
import java.io.IOException;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives the schemas of the OpenAPI document from the records that are written. The paths of the document are written
 * by hand. {@code mvn test-compile exec:exec@openapi} replaces the schemas in the document that is committed.
 */
final class OpenApiSchemas {

    static final Path DOCUMENT = Path.of("src/main/resources/openapi.json");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The types that have a schema of their own, which others refer to. */
    private static final Map<Class<?>, String> NAMED = new LinkedHashMap<>();

    static {
        NAMED.put(ProblemDocument.class, "Problem");
        NAMED.put(BypassedDocument.class, "Bypassed");
        NAMED.put(DecisionPage.class, "Decisions");
        NAMED.put(DecisionDocument.class, "Decision");
        NAMED.put(SummaryDocument.class, "Summary");
        NAMED.put(RecordedDecisionKind.class, "Verdict");
        NAMED.put(Reason.class, "Reason");
        NAMED.put(CauseDocument.class, "Cause");
        NAMED.put(CauseDocument.CauseSubject.class, "CauseSubject");
        NAMED.put(CapacityDocument.class, "Capacity");
        NAMED.put(FleetDocument.class, "Fleet");
        NAMED.put(FleetDocument.FleetKind.class, "FleetKind");
        NAMED.put(FleetDocument.FleetNode.class, "FleetNode");
        NAMED.put(FleetDocument.FleetChange.class, "FleetChange");
        NAMED.put(FleetNodeDocument.class, "FleetNodeDetails");
        NAMED.put(HistoryDocument.class, "CapacityHistory");
        NAMED.put(HoldersDocument.class, "Holders");
        NAMED.put(FlowDocument.class, "Flow");
        NAMED.put(DiagnosisDocument.class, "Diagnosis");
        NAMED.put(ReplicaStatusDocument.class, "ReplicaStatus");
        NAMED.put(ReplicasDocument.class, "Replicas");
        NAMED.put(ExplainDocument.AnsweringGateway.class, "AnsweringGateway");
    }

    /** The types that are written as others. */
    private static final Map<Class<?>, Class<?>> WRITTEN_AS =
            Map.of(DecisionDocumentJson.class, DecisionDocument.class, JsonNode.class, ReplicaStatusDocument.class);

    private OpenApiSchemas() {}

    /** Rewrites the document. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(DOCUMENT, document());
    }

    /** The committed document with the schemas as they should be. */
    static String document() throws IOException {
        ObjectNode document = (ObjectNode) JSON.readTree(DOCUMENT.toFile());
        ObjectNode schemas = ((ObjectNode) document.path("components")).putObject("schemas");
        NAMED.forEach((type, name) -> {
            schemas.set(name, schema(type));
            names(type)
                    .filter(names -> !names.schema().isEmpty())
                    .forEach(names -> schemas.set(names.schema(), list(names)));
        });
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                        .withArrayEmptySeparator("")
                        .withObjectEmptySeparator(""))
                .withArrayIndenter(new DefaultIndenter("  ", "\n"))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        return JSON.writer(printer).writeValueAsString(document) + "\n";
    }

    private static ObjectNode schema(Class<?> type) {
        boolean isObject = type.isRecord() && type != ResourceName.class;
        return isObject ? ofRecord(type) : ofWord(type);
    }

    private static ObjectNode ofRecord(Class<?> type) {
        ObjectNode schema = JSON.createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        List<String> required = Stream.of(type.getRecordComponents())
                .filter(component -> !isNullable(component) || isAlwaysWritten(component))
                .map(RecordComponent::getName)
                .toList();
        for (RecordComponent component : type.getRecordComponents()) {
            properties.set(component.getName(), ofComponent(component));
        }
        required.forEach(schema.putArray("required")::add);
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode ofComponent(RecordComponent component) {
        OpenApiNamesOf names = component.getAnnotation(OpenApiNamesOf.class);
        ObjectNode schema = names == null ? ofType(component.getAnnotatedType()) : ofNames(names);
        if (isNullable(component) && isAlwaysWritten(component)) {
            String type = schema.path("type").asText();
            schema.putArray("type").add(type).add("null");
            if (schema.has("enum")) {
                schema.withArray("enum").addNull();
            }
        }
        JsonPropertyDescription description = component.getAccessor().getAnnotation(JsonPropertyDescription.class);
        return description == null ? schema : schema.put("description", description.value());
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static boolean isAlwaysWritten(RecordComponent component) {
        JsonInclude include = component.getAccessor().getAnnotation(JsonInclude.class);
        return include != null && include.value() == JsonInclude.Include.ALWAYS;
    }

    private static Stream<OpenApiNamesOf> names(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type.getRecordComponents())
                        .flatMap(component -> Stream.of(component.getAnnotationsByType(OpenApiNamesOf.class)))
                : Stream.empty();
    }

    private static ObjectNode ofNames(OpenApiNamesOf names) {
        return names.schema().isEmpty() ? list(names) : reference(names.schema());
    }

    private static ObjectNode reference(String schema) {
        return JSON.createObjectNode().put("$ref", "#/components/schemas/" + schema);
    }

    private static ObjectNode list(OpenApiNamesOf names) {
        ObjectNode schema = JSON.createObjectNode().put("type", "string");
        Stream.of(names.value())
                .flatMap(OpenApiSchemas::records)
                .map(Class::getSimpleName)
                .forEach(schema.putArray("enum")::add);
        return schema;
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(OpenApiSchemas::records)
                : Stream.of(type);
    }

    private static ObjectNode ofType(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType last =
                    List.of(parameterized.getAnnotatedActualTypeArguments()).getLast();
            boolean isMap = ((ParameterizedType) type).getRawType() == Map.class;
            ObjectNode schema = JSON.createObjectNode().put("type", isMap ? "object" : "array");
            return schema.set(isMap ? "additionalProperties" : "items", ofItem(last));
        }
        Class<?> plain = WRITTEN_AS.getOrDefault((Class<?>) type, (Class<?>) type);
        String name = NAMED.get(plain);
        return name == null ? schema(plain) : reference(name);
    }

    private static ObjectNode ofItem(AnnotatedType item) {
        ObjectNode schema = ofType(item);
        if (item.isAnnotationPresent(Nullable.class)) {
            String type = schema.path("type").asText();
            schema.putArray("type").add(type).add("null");
        }
        return schema;
    }

    private static ObjectNode ofWord(Class<?> type) {
        ObjectNode schema = JSON.createObjectNode();
        if (type.isEnum()) {
            schema.put("type", "string");
            Stream.of(type.getEnumConstants()).map(OpenApiSchemas::written).forEach(schema.putArray("enum")::add);
            return schema;
        }
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> schema.put("type", "boolean");
            case "int", "Integer", "long", "Long" -> schema.put("type", "integer");
            case "double", "Double", "BigDecimal" -> schema.put("type", "number");
            case "Instant" -> schema.put("type", "string").put("format", "date-time");
            case "String", "ResourceName", "Quantity" -> schema.put("type", "string");
            default -> throw new IllegalArgumentException("there is no schema for " + type);
        };
    }

    /** As the API writes it. */
    private static String written(Object word) {
        try {
            return JSON.readTree(ApiJson.text(word)).asText();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
