package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.explain.Explanation;
import dev.sluice.injection.Injection;
import dev.sluice.injection.Injection.Basis;
import dev.sluice.injection.Injection.KeptRequest;
import dev.sluice.injection.Injection.Line;
import dev.sluice.injection.Injection.Portion;
import dev.sluice.injection.Injection.Refusal;
import dev.sluice.injection.Injection.Wanted;
import dev.sluice.injection.rule.NotInjected;
import dev.sluice.injection.rule.RuleInUse;
import dev.sluice.quantity.ResourceName;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Writes one of the members {@code injection}, {@code injectionRefused} and {@code notInjected} of an explained pod.
 */
final class InjectionJson {

    private InjectionJson() {}

    static void write(Explanation explanation, JsonGenerator json) throws IOException {
        switch (explanation.verdict().injection()) {
            case Injection.Injected given -> given(given, json);
            case Injection.Refused refused -> refused(refused.refusal(), json);
            case Injection.NothingInjected _ -> {
                if (explanation.notInjected().isPresent()) {
                    notInjected(explanation.notInjected().get(), json);
                }
            }
        }
    }

    private static void given(Injection.Injected given, JsonGenerator json) throws IOException {
        RuleInUse use = given.use();
        json.writeObjectFieldStart("injection");
        use(use, json);
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

    private static void use(RuleInUse use, JsonGenerator json) throws IOException {
        json.writeStringField("type", use.type());
        json.writeStringField("resource", use.resource().value());
        switch (use.source()) {
            case RuleInUse.Source.OfNamespace own -> json.writeStringField("ruleOfNamespace", own.namespace());
            case RuleInUse.Source.Default _ -> json.writeNullField("ruleOfNamespace");
        }
    }

    private static void refused(Refusal refusal, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("injectionRefused");
        switch (refusal) {
            case Refusal.DifferentResources different -> {
                json.writeStringField("why", "differentResources");
                json.writeStringField("type", different.type());
                wanted(different.wanted(), json);
            }
            case Refusal.ZeroGpus none -> {
                json.writeStringField("why", "noGpu");
                json.writeStringField("type", none.type());
                wanted(List.of(none.wanted()), json);
            }
            case Refusal.TooLarge tooLarge -> {
                json.writeStringField("why", "tooLarge");
                use(tooLarge.use(), json);
                json.writeStringField("gpus", Long.toString(tooLarge.gpus()));
                json.writeStringField("injected", tooLarge.resource().value());
                json.writeStringField("total", tooLarge.total().canonical());
                taken(tooLarge.taken(), json);
                json.writeStringField("asked", tooLarge.asked().canonical());
            }
            case Refusal.Overflow overflow -> {
                json.writeStringField("why", "overflow");
                use(overflow.use(), json);
                json.writeStringField("gpus", overflow.gpus());
                json.writeStringField("injected", overflow.resource().value());
            }
        }
        json.writeEndObject();
    }

    private static void wanted(List<Wanted> all, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("wanted");
        for (Wanted wanted : all) {
            json.writeStartObject();
            json.writeStringField("resource", wanted.resource().value());
            strings("containers", wanted.containers(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void notInjected(NotInjected why, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("notInjected");
        json.writeStringField("why", why.word());
        switch (why) {
            case NotInjected.NoRules noRules -> json.writeStringField("type", noRules.type());
            case NotInjected.UnknownType unknown -> {
                json.writeStringField("type", unknown.type());
                strings("known", unknown.known(), json);
            }
            case NotInjected.OtherResources other -> {
                json.writeStringField("type", other.type());
                strings(
                        "resources",
                        other.resources().stream().map(ResourceName::value).toList(),
                        json);
            }
            case NotInjected.NoType _, NotInjected.NamespaceSkipped _, NotInjected.LeftAsWritten _ -> {}
        }
        json.writeEndObject();
    }

    private static void strings(String field, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
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
        taken(shared.taken(), json);
        json.writeStringField("left", shared.left().canonical());
        json.writeStringField("perGpu", shared.perGpu().canonical());
    }

    private static void taken(List<KeptRequest> all, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("taken");
        for (KeptRequest taken : all) {
            json.writeStartObject();
            json.writeStringField("container", taken.container());
            json.writeStringField("request", taken.request().canonical());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
