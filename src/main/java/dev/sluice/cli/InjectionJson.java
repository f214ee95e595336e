package dev.sluice.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.injection.Injection;
import dev.sluice.injection.Injection.Basis;
import dev.sluice.injection.Injection.Line;
import dev.sluice.injection.Injection.Portion;
import dev.sluice.injection.Injection.Taken;
import dev.sluice.injection.RuleInUse;
import java.io.IOException;
import java.util.Map;

/** The member {@code injection} of an explained pod. */
final class InjectionJson {

    private InjectionJson() {}

    static void write(Injection injection, JsonGenerator json) throws IOException {
        if (!(injection instanceof Injection.Given given)) {
            return;
        }
        RuleInUse use = given.use();
        json.writeObjectFieldStart("injection");
        json.writeStringField("type", use.type());
        json.writeStringField("resource", use.resource().value());
        switch (use.source()) {
            case RuleInUse.Source.OfNamespace own -> json.writeStringField("ruleOfNamespace", own.namespace());
            case RuleInUse.Source.Default _ -> json.writeNullField("ruleOfNamespace");
        }
        json.writeNumberField("gpus", given.gpus());
        json.writeArrayFieldStart("resources");
        for (Line line : given.lines()) {
            line(line, json);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("annotations");
        for (Map.Entry<String, String> annotation : use.rule().annotations().entrySet()) {
            json.writeStringField(annotation.getKey(), annotation.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void line(Line line, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("resource", line.rule().name().value());
        json.writeStringField("coefficient", line.rule().coefficient().toString());
        json.writeStringField("unit", line.rule().unit().text());
        switch (line.basis()) {
            case Basis.Shared shared -> shared(shared, json);
            case Basis.Each _ -> json.writeStringField("basis", "container");
            case Basis.LeftToPod _ -> json.writeStringField("basis", "leftToPod");
        }
        json.writeArrayFieldStart("containers");
        for (Portion portion : line.portions()) {
            json.writeStartObject();
            json.writeStringField("name", portion.name());
            json.writeNumberField("gpus", portion.gpus());
            json.writeStringField("share", portion.share().canonical());
            json.writeStringField("request", portion.request().canonical());
            json.writeStringField("limit", portion.limit().canonical());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void shared(Basis.Shared shared, JsonGenerator json) throws IOException {
        json.writeStringField("basis", "pod");
        json.writeStringField("total", shared.total().canonical());
        json.writeArrayFieldStart("taken");
        for (Taken taken : shared.taken()) {
            json.writeStartObject();
            json.writeStringField("container", taken.container());
            json.writeStringField("request", taken.request().canonical());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("left", shared.left().canonical());
        json.writeStringField("perGpu", shared.perGpu().canonical());
    }
}
