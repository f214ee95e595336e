package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.KubernetesFacts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodRequestsTest {

    @Test
    void addsUpAsTheSchedulerDoes() {
        List<String> disagreements = new ArrayList<>();
        for (JsonNode fact : KubernetesFacts.documents("pod-requests.jsonl")) {
            PodRequests<Amounts> requests = PodRequests.ofWhole();
            for (JsonNode container : fact.get("containers")) {
                requests.add(
                        PodContainerKind.valueOf(container.get("kind").textValue()),
                        amounts(container.get("requests")));
            }
            Amounts ours = requests.total(amounts(fact.get("podLevel")), amounts(fact.get("overhead")));
            Map<String, Long> theirs = new HashMap<>();
            fact.get("total")
                    .properties()
                    .forEach(
                            total -> theirs.put(total.getKey(), total.getValue().longValue()));
            Map<String, Long> told = new HashMap<>();
            ours.forEach((name, amount) -> told.put(name.value(), amount));
            if (!told.equals(theirs)) {
                disagreements.add(fact + ": " + told);
            }
        }
        assertThat(disagreements).isEmpty();
    }

    private static Amounts amounts(JsonNode resources) {
        Map<ResourceName, Quantity> quantities = new HashMap<>();
        KubernetesFacts.texts(resources)
                .forEach((name, text) -> quantities.put(new ResourceName(name), KubernetesFacts.quantity(text)));
        return Amounts.of(quantities);
    }

    @Test
    void aPodOfNothingAsksForNothing() {
        assertThat(PodRequests.ofWhole().total(Amounts.NONE, Amounts.NONE)).isEqualTo(Amounts.NONE);
    }
}
