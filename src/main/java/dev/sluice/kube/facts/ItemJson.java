package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.util.List;
import java.util.Map;

/**
 * Reads objects of lists into records, and writes the records as JSON. A field that is missing or null becomes an empty
 * text, list or map. A field of the wrong type is refused, as the API server would refuse it.
 */
final class ItemJson {

    static final JsonMapper MAPPER = mapper();

    private ItemJson() {}

    private static JsonMapper mapper() {
        JsonSetter.Value empty = JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.DEFAULT);
        return JsonMapper.builder()
                .annotationIntrospector(new JacksonAnnotationIntrospector() {
                    // Unknown fields are skipped at once. By default, Jackson would keep them in memory until the
                    // record is complete.
                    @Override
                    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
                            MapperConfig<?> config, Annotated annotated) {
                        return JsonIgnoreProperties.Value.forIgnoreUnknown(true);
                    }
                })
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS, MapperFeature.AUTO_DETECT_IS_GETTERS)
                .withCoercionConfig(LogicalType.Textual, texts -> {
                    texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                })
                .withConfigOverride(String.class, texts -> texts.setSetterInfo(empty))
                .withConfigOverride(
                        List.class,
                        lists -> lists.setSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL)))
                .withConfigOverride(
                        Map.class,
                        maps -> maps.setSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.AS_EMPTY)))
                .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_EMPTY, Include.ALWAYS))
                .build();
    }
}
