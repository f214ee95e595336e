package dev.sluice.record.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.log.LogLines;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.SampleRecords;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DecisionLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(BatchedLogAppender.DECISIONS);
    private final LogLines lines = new LogLines();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private ILoggingEvent logged(SampleRecords decision) {
        new DecisionLog().log(decision.record());
        return lines.list.getFirst();
    }

    @Test
    void namesNoChangeWhereNothingWasExchanged() {
        ILoggingEvent line = logged(SampleRecords.unchanged().pod("default", ""));

        assertThat(line.getKeyValuePairs()).noneMatch(pair -> pair.key.equals("change"));
        assertThat(line.getFormattedMessage()).isEqualTo("pod default/(unnamed) unchanged");
    }

    @Test
    void namesTheChange() {
        ILoggingEvent line = logged(SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .moves(new PodRequestReplacement(ResourceName.NVIDIA_GPU, ResourceName.NVIDIA_GPU)));

        assertThat(line.getKeyValuePairs()).anyMatch(pair -> pair.toString().equals("change=\"gpu->gpu\""));
    }

    @Test
    void showsAFewWarningsAndCountsTheOthers() {
        List<String> warnings = IntStream.range(0, 9).mapToObj(i -> "w" + i).toList();

        assertThat(logged(SampleRecords.of(RecordedDecisionKind.KEPT, Reason.KEPT_AS_WRITTEN)
                                .words(new VerdictTexts(warnings, "")))
                        .getFormattedMessage())
                .isEqualTo("pod team/train kept: w0; w1; w2; w3; w4; w5; and 3 more");
    }

    @Test
    void saysOfADenialWhatItsUserIsTold() {
        assertThat(logged(SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                                .words(new VerdictTexts(List.of("a warning"), "no node offers it")))
                        .getFormattedMessage())
                .isEqualTo("pod team/train denied: no node offers it");
    }

    @Test
    void saysOfAnObservedPodWhatWouldBe() {
        ILoggingEvent line = logged(SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                .observed()
                .words(new VerdictTexts(List.of(), "no node offers it")));

        assertThat(line.getFormattedMessage()).isEqualTo("pod team/train would be denied: no node offers it");
        assertThat(line.getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("enforcement=observe");
    }

    @Test
    void aPodWithoutGpuIsNotWorthALine() {
        new DecisionLog().log(new PodWithoutGpu(1_000));

        assertThat(lines.list).isEmpty();
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
    void namesThePodForPrograms() {
        assertThat(logged(SampleRecords.unchanged().pod("team", "train-*")).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("namespace=team", "pod=train-*");
    }

    @Test
    void namesTheRuleOfAnInjectionAndItsGeneration() {
        RuleInUse own = rule("V100", new RuleInUse.Source.OfNamespace("team-b"));

        assertThat(keys(logged(SampleRecords.unchanged().injection(new Injection.Injected(own, 1, List.of())))))
                .containsExactly(
                        "gpuType=\"V100\"",
                        "rule=\"namespaceResourceMap.team-b.V100.nvidia.com/gpu\"",
                        "generation=\"7\"");
    }

    @Test
    void namesTheRuleThatRefuses() {
        RuleInUse line = rule("V\n100", new RuleInUse.Source.Default());

        assertThat(keys(logged(refused(new Refusal.Overflow(line, "1e99", ResourceName.CPU)))))
                .containsExactly(
                        "gpuType=\"V\n100\"", "rule=\"resourceMap.V\n100.nvidia.com/gpu\"", "generation=\"7\"");
    }

    @Test
    void namesTheTypeOfWhichNoRuleCouldBeChosen() {
        assertThat(keys(logged(refused(new Refusal.DifferentResources("V100", List.of())))))
                .containsExactly("gpuType=\"V100\"", "generation=\"7\"");
    }

    private static SampleRecords refused(Refusal refusal) {
        return SampleRecords.of(RecordedDecisionKind.DENIED, Reason.INJECTION_REFUSED)
                .injection(new Injection.Refused(refusal));
    }

    @Test
    void namesNoRuleWhereNothingIsInjected() {
        assertThat(keys(logged(SampleRecords.unchanged()))).isEmpty();
    }
}
