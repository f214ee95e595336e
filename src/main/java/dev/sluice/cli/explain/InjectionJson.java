package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Basis;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Line;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.injection.NotInjected;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * Writes one of the members {@code injection}, {@code injectionRefused} and {@code notInjected} of an explained pod.
 */
final class InjectionJson {

    private InjectionJson() {}

    static void write(Explanation explanation, ObjectNode json) {
        switch (explanation.verdict().injection()) {
            case Injection.Injected given -> given(given, json.putObject("injection"));
            case Injection.Refused refused -> refused(refused.refusal(), json.putObject("injectionRefused"));
            case Injection.NothingInjected _ ->
                explanation.notInjected().ifPresent(why -> notInjected(why, json.putObject("notInjected")));
        }
    }

    private static void given(Injection.Injected given, ObjectNode json) {
        use(given.use(), json).put("gpus", given.gpus());
        ArrayNode resources = json.putArray("resources");
        given.lines().forEach(line -> line(line, resources.addObject()));
        given.use().rule().annotations().forEach(json.putObject("annotations")::put);
    }

    private static ObjectNode use(RuleInUse use, ObjectNode json) {
        json.put("type", use.type()).put("resource", use.resource().value());
        return switch (use.source()) {
            case RuleInUse.Source.OfNamespace own -> json.put("ruleOfNamespace", own.namespace());
            case RuleInUse.Source.Default _ -> json.putNull("ruleOfNamespace");
        };
    }

    private static void refused(Refusal refusal, ObjectNode json) {
        switch (refusal) {
            case Refusal.DifferentResources different ->
                wanted(different.wanted(), json.put("why", "differentResources").put("type", different.type()));
            case Refusal.ZeroGpus none ->
                wanted(List.of(none.wanted()), json.put("why", "noGpu").put("type", none.type()));
            case Refusal.TooLarge tooLarge -> {
                use(tooLarge.use(), json.put("why", "tooLarge"))
                        .put("gpus", Long.toString(tooLarge.gpus()))
                        .put("injected", tooLarge.resource().value())
                        .put("total", tooLarge.total().canonical());
                taken(tooLarge.taken(), json);
                json.put("asked", tooLarge.asked().canonical());
            }
            case Refusal.Overflow overflow ->
                use(overflow.use(), json.put("why", "overflow"))
                        .put("gpus", overflow.gpus())
                        .put("injected", overflow.resource().value());
        }
    }

    private static void wanted(List<Wanted> all, ObjectNode json) {
        ArrayNode array = json.putArray("wanted");
        for (Wanted wanted : all) {
            strings(
                    "containers",
                    wanted.containers(),
                    array.addObject().put("resource", wanted.resource().value()));
        }
    }

    private static void notInjected(NotInjected why, ObjectNode json) {
        json.put("why", why.word());
        switch (why) {
            case NotInjected.NoRules noRules -> json.put("type", noRules.type());
            case NotInjected.UnknownType unknown -> strings("known", unknown.known(), json.put("type", unknown.type()));
            case NotInjected.OtherResources other ->
                strings(
                        "resources",
                        other.resources().stream().map(ResourceName::value).toList(),
                        json.put("type", other.type()));
            case NotInjected.NoType _, NotInjected.NamespaceSkipped _, NotInjected.LeftAsWritten _ -> {}
        }
    }

    private static void strings(String field, List<String> values, ObjectNode json) {
        values.forEach(json.putArray(field)::add);
    }

    private static void line(Line line, ObjectNode json) {
        json.put("resource", line.rule().name().value())
                .put("coefficient", line.rule().coefficient().toString())
                .put("unit", line.rule().unit().text());
        switch (line.basis()) {
            case Basis.Shared shared -> {
                taken(
                        shared.taken(),
                        json.put("basis", "pod").put("total", shared.total().canonical()));
                json.put("left", shared.left().canonical())
                        .put("perGpu", shared.perGpu().canonical());
            }
            case Basis.Each _ -> json.put("basis", "container");
            case Basis.LeftToPod _ -> json.put("basis", "leftToPod");
        }
        ArrayNode containers = json.putArray("containers");
        for (Portion portion : line.portions()) {
            containers
                    .addObject()
                    .put("name", portion.name())
                    .put("gpus", portion.gpus())
                    .put("share", portion.share().canonical())
                    .put("request", portion.request().canonical())
                    .put("limit", portion.limit().canonical());
        }
    }

    private static void taken(List<KeptRequest> all, ObjectNode json) {
        ArrayNode array = json.putArray("taken");
        for (KeptRequest taken : all) {
            array.addObject()
                    .put("container", taken.container())
                    .put("request", taken.request().canonical());
        }
    }
}
