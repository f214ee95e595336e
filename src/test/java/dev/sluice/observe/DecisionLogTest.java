package dev.sluice.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.injection.Injection;
import dev.sluice.injection.Injection.Refusal;
import dev.sluice.injection.InjectionRule;
import dev.sluice.injection.InjectionRules.RuleInUse;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.Move;
import dev.sluice.review.AdmissionReview;
import dev.sluice.verdict.DecisionCause;
import dev.sluice.verdict.Reason;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Wording;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DecisionLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.sluice.decisions");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private ILoggingEvent logged(Verdict verdict) {
        new DecisionLog()
                .decided(
                        new AdmissionReview(
                                "u",
                                "/v1/Pod",
                                "CREATE",
                                "",
                                "default",
                                "",
                                AdmissionReview.DryRun.NO,
                                new AdmissionReview.PodObject.Absent()),
                        verdict,
                        Wording.of(verdict),
                        7,
                        1_000);
        return lines.list.getFirst();
    }

    @Test
    void namesNoChangeWhereNothingWasExchanged() {
        ILoggingEvent line = logged(Verdict.Allowed.unpatched(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()));

        assertThat(line.getKeyValuePairs()).noneMatch(pair -> pair.key.equals("change"));
        assertThat(line.getFormattedMessage()).isEqualTo("pod default/(unnamed) unchanged");
    }

    @Test
    void namesTheChange() {
        List<Move> moves = List.of(new Move(ResourceName.NVIDIA_GPU, ResourceName.NVIDIA_GPU));
        ILoggingEvent line = logged(new Verdict.Allowed(
                Verdict.Outcome.CHANGED, Reason.NOT_OFFERED, moves, List.of(), List.of(), Injection.NOTHING));

        assertThat(line.getKeyValuePairs()).anyMatch(pair -> pair.toString().equals("change=\"gpu->gpu\""));
    }

    private static RuleInUse rule(String type, RuleInUse.Source source) {
        return new RuleInUse(type, ResourceName.NVIDIA_GPU, source, new InjectionRule(List.of(), Map.of()));
    }

    private static List<String> keys(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .filter(pair -> Set.of("gpuType", "rule", "generation").contains(pair.key))
                .map(Object::toString)
                .toList();
    }

    @Test
    void namesTheRuleOfAnInjectionAndItsGeneration() {
        RuleInUse own = rule("V100", new RuleInUse.Source.OfNamespace("team-b"));

        assertThat(keys(logged(new Verdict.Allowed(
                        Verdict.Outcome.UNCHANGED,
                        Reason.OFFERED,
                        List.of(),
                        List.of(),
                        List.of(),
                        new Injection.Injected(own, 1, List.of())))))
                .containsExactly(
                        "gpuType=\"V100\"",
                        "rule=\"namespaceResourceMap.team-b.V100.nvidia.com/gpu\"",
                        "generation=\"7\"");
    }

    @Test
    void namesTheRuleThatRefuses() {
        RuleInUse line = rule("V\n100", new RuleInUse.Source.Default());

        assertThat(keys(logged(refused(new Refusal.Overflow(line, "1e99", ResourceName.CPU)))))
                .containsExactly("gpuType=\"V?100\"", "rule=\"resourceMap.V?100.nvidia.com/gpu\"", "generation=\"7\"");
    }

    @Test
    void namesTheTypeOfWhichNoRuleCouldBeChosen() {
        assertThat(keys(logged(refused(new Refusal.DifferentResources("V100", List.of())))))
                .containsExactly("gpuType=\"V100\"", "generation=\"7\"");
    }

    private static Verdict refused(Refusal refusal) {
        return new Verdict.Denied(
                Reason.INJECTION_REFUSED,
                new DecisionCause.InjectionRefused(refusal, List.of()),
                List.of(),
                new Injection.Refused(refusal));
    }

    @Test
    void namesNoRuleWhereNothingIsInjected() {
        assertThat(keys(logged(Verdict.Allowed.unpatched(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()))))
                .isEmpty();
    }
}
