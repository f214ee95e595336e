package dev.sluice.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.admission.verdict.ContainerNames;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.Offer;
import dev.sluice.admission.verdict.Exhaustion;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.admission.verdict.Shortfall;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.IOException;
import java.util.List;

/** Encodes the causes of a decision: the word of each, what it speaks of, and its numbers. */
record CauseEncoder(JsonGenerator json) {

    void write(DecisionCause cause) throws IOException {
        json.writeStartObject();
        json.writeStringField("cause", cause.getClass().getSimpleName());
        if (cause instanceof DecisionCause.OfContainers some) {
            containers(some.containers());
        }
        members(cause);
        json.writeEndObject();
    }

    private void members(DecisionCause cause) throws IOException {
        switch (cause) {
            case DecisionCause.Substituted substituted -> {
                missing(substituted.why());
                offer("given", substituted.given());
            }
            case DecisionCause.SubstitutedAsExhausted substituted -> {
                inUse("asked", substituted.why());
                free("given", substituted.given());
            }
            case DecisionCause.SubstitutedAndWaits substituted -> {
                missing(substituted.why());
                inUse("given", substituted.given());
            }
            case DecisionCause.Waits waits -> {
                inUse("asked", waits.why());
                fallbacks(waits.fallbacks());
            }
            case DecisionCause.Preempts preempts -> inUse("given", preempts.why());
            case DecisionCause.KeptAsWritten kept -> {
                missing(kept.why());
                fallbacks(kept.fallbacks());
            }
            case DecisionCause.NotOffered denied -> {
                missing(denied.why());
                fallbacks(denied.fallbacks());
                offers(denied.offered());
            }
            case DecisionCause.Exhausted denied -> {
                inUse("asked", denied.why());
                fallbacks(denied.fallbacks());
                usable(denied.usable());
            }
            case DecisionCause.KeptWithoutGpus kept -> asked(kept.asked());
            case DecisionCause.NoGpuInCluster denied -> asked(denied.asked());
            case DecisionCause.LimitAdded added -> asked(added.asked());
            case DecisionCause.TooManyCombinations many -> json.writeNumberField("most", many.most());
            case DecisionCause.UnknownFallbackMode unknown -> json.writeStringField("value", unknown.mode());
            case DecisionCause.IllegalPod illegal -> json.writeStringField("problem", illegal.problem());
            case DecisionCause.Unreadable unreadable -> json.writeStringField("problem", unreadable.problem());
            case DecisionCause.KnownFault fault -> {
                asked(fault.asked());
                json.writeStringField("problem", fault.text());
            }
            case DecisionCause.NothingReserved unreserved -> json.writeStringField("problem", unreserved.why());
            case DecisionCause.InjectionRefused _, DecisionCause.InternalFault _ -> {}
        }
    }

    private void containers(ContainerNames names) throws IOException {
        json.writeArrayFieldStart("containers");
        for (String name : names.first()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeNumberField("moreContainers", names.count() - names.first().size());
    }

    private void asked(ResourceName resource) throws IOException {
        json.writeObjectFieldStart("asked");
        json.writeStringField("resource", resource.value());
        json.writeEndObject();
    }

    /** Why no node offers what is asked. */
    private void missing(Shortfall why) throws IOException {
        json.writeObjectFieldStart("asked");
        json.writeStringField("why", why.getClass().getSimpleName());
        json.writeStringField("resource", why.resource().value());
        json.writeNumberField("need", why.need());
        switch (why) {
            case Shortfall.NoNode _, Shortfall.NoUsableNode _, Shortfall.NotTogether _ -> {}
            case Shortfall.TooFewOnEachNode tooFew -> {
                json.writeNumberField("largest", tooFew.largest());
                json.writeBooleanField("enoughElsewhere", tooFew.elsewhere());
            }
        }
        json.writeEndObject();
    }

    /** Why what is offered cannot be had now. */
    private void inUse(String field, Exhaustion why) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("why", why.getClass().getSimpleName());
        numbers(why.count());
        switch (why) {
            case Exhaustion.NoNodeHasAll _ -> {}
            case Exhaustion.TooFewFree(var _, long need) -> json.writeNumberField("need", need);
            case Exhaustion.NoNodeHasEnough(var _, long need) -> json.writeNumberField("need", need);
            case Exhaustion.ShortBeside(var _, long need, ResourceName other, long amount) -> {
                json.writeNumberField("need", need);
                json.writeStringField("shortOf", other.value());
                json.writeNumberField("shortOfAmount", amount);
            }
        }
        json.writeEndObject();
    }

    private void fallbacks(DecisionCause.Fallbacks fallbacks) throws IOException {
        json.writeStringField(
                "fallbacks",
                switch (fallbacks) {
                    case NONE -> "none";
                    case ALSO_MISSING -> "alsoMissing";
                    case NOT_USABLE -> "notUsable";
                    case NOT_TOGETHER -> "notTogether";
                    case SWITCHED_OFF -> "switchedOff";
                });
    }

    private void offers(List<Offer> offers) throws IOException {
        json.writeArrayFieldStart("offered");
        for (Offer offer : offers) {
            json.writeStartObject();
            numbers(offer);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void usable(List<FreeCount> counts) throws IOException {
        json.writeArrayFieldStart("usable");
        for (FreeCount count : counts) {
            json.writeStartObject();
            numbers(count);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void offer(String field, Offer offer) throws IOException {
        json.writeObjectFieldStart(field);
        numbers(offer);
        json.writeEndObject();
    }

    private void free(String field, FreeCount count) throws IOException {
        json.writeObjectFieldStart(field);
        numbers(count);
        json.writeEndObject();
    }

    private void numbers(Offer offer) throws IOException {
        json.writeStringField("resource", offer.resource().value());
        json.writeNumberField("total", offer.total());
        json.writeNumberField("nodes", offer.nodes());
    }

    private void numbers(FreeCount count) throws IOException {
        json.writeStringField("resource", count.resource().value());
        json.writeNumberField("free", count.free());
        json.writeNumberField("total", count.total());
        json.writeNumberField("nodes", count.nodes());
    }
}
