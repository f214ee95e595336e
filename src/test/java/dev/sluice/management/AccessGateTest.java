package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.kube.client.Caller;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gate asks, what it remembers, and for how long. */
class AccessGateTest {

    private static final String METRICS = "/metrics";

    /** Strangers who come with this distance are not too many. */
    private static final Duration ONE_STRANGER = Duration.ofSeconds(1).dividedBy(AccessGate.STRANGERS_A_SECOND);

    /** Knows the tokens that begin with {@code known}; their owners may get the metrics. */
    private static final class ApiServerDouble implements AccessQuestions {
        private final List<String> asked = new ArrayList<>();
        private boolean down;
        private boolean allRightsAreLost;

        @Override
        public Optional<Caller> authenticate(String token, Duration patience) throws IOException {
            asked.add(token);
            if (down) {
                throw new IOException("connection refused");
            }
            return token.startsWith("known")
                    ? Optional.of(new Caller(token, "", List.of(), Map.of()))
                    : Optional.empty();
        }

        @Override
        public boolean mayGet(Caller caller, String path, Duration patience) {
            return !allRightsAreLost && path.equals(METRICS) && !caller.name().endsWith("stranger");
        }

        @Override
        public boolean mayCreatePods(Caller caller, String namespace, Duration patience) {
            return !allRightsAreLost && caller.name().startsWith("known-of-" + namespace);
        }
    }

    private final ApiServerDouble server = new ApiServerDouble();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private Instant now = Instant.EPOCH;
    private final AccessGate gate = new AccessGate(server, () -> now, waiting::add, Runnable::run);

    private void answerAll() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @CanIgnoreReturnValue
    private AccessDecision decide(String token, String path) {
        return decide(token, AccessRight.toPath(path));
    }

    @CanIgnoreReturnValue
    private AccessDecision decide(String token, AccessRight right) {
        CompletableFuture<AccessDecision> decision = gate.decide(token, right);
        answerAll();
        return decision.resultNow();
    }

    private static AccessRight decisionsOf(String namespace) {
        return new AccessRight("/gpu-webhook/api/v1/decisions", Optional.of(namespace));
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    /** As many tokens that nobody knows as there may be questions, and the API server takes its time. */
    private void occupy() {
        for (int i = 0; i < AccessGate.MOST_QUESTIONS; i++) {
            var _ = gate.decide("garbage" + i, AccessRight.toPath(METRICS));
        }
    }

    @Test
    void aTokenWithTheRightIsAllowedAndOthersAreToldApart() {
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);
        assertThat(decide("known", "/api/v1/decisions")).isEqualTo(AccessDecision.NOT_AUTHORISED);
        assertThat(decide("known-stranger", METRICS)).isEqualTo(AccessDecision.NOT_AUTHORISED);
        assertThat(decide("garbage", METRICS)).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
    }

    @Test
    void whatIsAllowedIsRememberedForAMinute() {
        decide("known", METRICS);
        server.down = true;

        pass(AccessGate.ALLOWED_FOR.minusMillis(1));
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);
        pass(Duration.ofMillis(1));
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
    }

    @Test
    void whatIsDeniedIsRememberedForTenSeconds() {
        decide("garbage", METRICS);
        decide("known-stranger", METRICS);

        pass(AccessGate.DENIED_FOR.minusMillis(1));
        assertThat(decide("garbage", METRICS)).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
        assertThat(decide("known-stranger", METRICS)).isEqualTo(AccessDecision.NOT_AUTHORISED);
        assertThat(server.asked).hasSize(2);
        pass(Duration.ofMillis(1));
        decide("garbage", METRICS);
        decide("known-stranger", METRICS);
        assertThat(server.asked).hasSize(4);
    }

    @Test
    void thatNobodyAnsweredIsNotRemembered() {
        server.down = true;
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
        server.down = false;
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);
    }

    @Test
    void requestsOfOneTokenShareAQuestion() {
        List<CompletableFuture<AccessDecision>> decisions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            decisions.add(gate.decide("known", AccessRight.toPath(METRICS)));
        }
        assertThat(waiting).hasSize(1);
        answerAll();
        assertThat(decisions).allSatisfy(each -> assertThat(each.resultNow()).isEqualTo(AccessDecision.ALLOWED));
        assertThat(server.asked).containsExactly("known");
    }

    @Test
    void onlyAFewQuestionsWaitAtOnce() {
        for (int i = 0; i < AccessGate.MOST_OF_STRANGERS; i++) {
            assertThat(gate.decide("known" + i, AccessRight.toPath(METRICS)).isDone())
                    .isFalse();
        }
        assertThat(gate.decide("known-late", AccessRight.toPath(METRICS)).resultNow())
                .isEqualTo(AccessDecision.UNKNOWN);
        answerAll();
        assertThat(decide("known-late", METRICS)).isEqualTo(AccessDecision.ALLOWED);
    }

    @Test
    void theEldestOfTooManyIsForgotten() {
        for (int i = 0; i <= AccessGate.MOST_REMEMBERED; i++) {
            decide("known" + i, METRICS);
            pass(ONE_STRANGER);
        }
        server.down = true;
        assertThat(decide("known0", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
        assertThat(decide("known1", METRICS)).isEqualTo(AccessDecision.ALLOWED);
        assertThat(decide("known" + AccessGate.MOST_REMEMBERED, METRICS)).isEqualTo(AccessDecision.ALLOWED);
    }

    @Test
    void strangersWithNewTokensCannotDisplaceARememberedYes() {
        decide("known", METRICS);
        for (int i = 0; i <= AccessGate.MOST_REMEMBERED; i++) {
            pass(ONE_STRANGER);
            assertThat(decide("garbage" + i, METRICS)).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
        }
        server.down = true;
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);
    }

    @Test
    void aTokenThatWasAllowedBeforeGetsAQuestionWhileStrangersOccupyTheirs() {
        decide("known", METRICS);
        pass(AccessGate.FAMILIAR_FOR.minusMillis(1));
        occupy();

        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);
    }

    @Test
    void aTokenIsAStrangerAnHourAfterItWasAllowed() {
        decide("known", METRICS);
        pass(AccessGate.FAMILIAR_FOR);
        occupy();

        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
    }

    @Test
    void aTokenThatHasLostItsRightIsAStranger() {
        decide("known", METRICS);
        server.allRightsAreLost = true;
        pass(AccessGate.ALLOWED_FOR);
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.NOT_AUTHORISED);

        pass(AccessGate.DENIED_FOR);
        occupy();
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
    }

    @Test
    void theApiServerIsAskedAboutOnlyAFewStrangersASecond() {
        decide("known", METRICS);
        pass(AccessGate.ALLOWED_FOR);
        server.asked.clear();
        for (int i = 0; i < 1_000; i++) {
            decide("garbage" + i, METRICS);
        }
        assertThat(server.asked).hasSize(AccessGate.STRANGERS_A_SECOND);
        assertThat(decide("garbage-late", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
        assertThat(decide("known", METRICS)).isEqualTo(AccessDecision.ALLOWED);

        pass(Duration.ofSeconds(1));
        assertThat(decide("garbage-late", METRICS)).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
    }

    /** Whoever was refused needs not wait until a second is over. */
    @Test
    void strangersMayAskAgainAsTimePasses() {
        for (int i = 0; i < AccessGate.STRANGERS_A_SECOND; i++) {
            decide("garbage" + i, METRICS);
        }
        pass(ONE_STRANGER);

        assertThat(decide("garbage-late", METRICS)).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
        assertThat(decide("garbage-later", METRICS)).isEqualTo(AccessDecision.UNKNOWN);
    }

    @Test
    void aTokenThatIsTooLongIsRefusedUnasked() {
        assertThat(decide("known" + "x".repeat(AccessGate.LONGEST_TOKEN), METRICS))
                .isEqualTo(AccessDecision.NOT_AUTHENTICATED);
        assertThat(server.asked).isEmpty();
    }

    @Test
    void whoeverMayCreatePodsInANamespaceMayAskAboutItAndAboutNoOther() {
        assertThat(decide("known-of-team-a", decisionsOf("team-a"))).isEqualTo(AccessDecision.ALLOWED_FOR_NAMESPACE);
        assertThat(decide("known-of-team-a", decisionsOf("team-b"))).isEqualTo(AccessDecision.NOT_AUTHORISED);
        assertThat(decide("known-of-team-a", METRICS)).isEqualTo(AccessDecision.ALLOWED);
        assertThat(decide("known-of-team-a", "/gpu-webhook/api/v1/decisions")).isEqualTo(AccessDecision.NOT_AUTHORISED);
        assertThat(decide("garbage", decisionsOf("team-a"))).isEqualTo(AccessDecision.NOT_AUTHENTICATED);
    }

    @Test
    void aRightInANamespaceThatIsLostCountsForAMinute() {
        decide("known-of-team-a", decisionsOf("team-a"));
        server.allRightsAreLost = true;

        pass(AccessGate.ALLOWED_FOR.minusMillis(1));
        assertThat(decide("known-of-team-a", decisionsOf("team-a"))).isEqualTo(AccessDecision.ALLOWED_FOR_NAMESPACE);
        pass(Duration.ofMillis(1));
        assertThat(decide("known-of-team-a", decisionsOf("team-a"))).isEqualTo(AccessDecision.NOT_AUTHORISED);
    }

    @Test
    void aTenantWithManyTokensPushesOutOnlyItsOwn() {
        decide("known-of-team-b", decisionsOf("team-b"));
        for (int i = 0; i <= AccessGate.MOST_REMEMBERED; i++) {
            pass(ONE_STRANGER);
            assertThat(decide("known-of-team-a" + i, decisionsOf("team-a")))
                    .isEqualTo(AccessDecision.ALLOWED_FOR_NAMESPACE);
        }
        server.down = true;
        assertThat(decide("known-of-team-b", decisionsOf("team-b"))).isEqualTo(AccessDecision.ALLOWED_FOR_NAMESPACE);
        assertThat(decide("known-of-team-a0", decisionsOf("team-a"))).isEqualTo(AccessDecision.UNKNOWN);
    }

    @Test
    void aTenantLeavesQuestionsForOthers() {
        for (int i = 0; i < AccessGate.MOST_QUESTIONS; i++) {
            decide("known-of-team-a" + i, decisionsOf("team-a"));
        }
        decide("known-of-team-b", decisionsOf("team-b"));
        pass(AccessGate.ALLOWED_FOR);
        for (int i = 0; i < AccessGate.MOST_QUESTIONS; i++) {
            var _ = gate.decide("known-of-team-a" + i, decisionsOf("team-a"));
        }
        assertThat(waiting).hasSize(AccessGate.MOST_QUESTIONS_OF_A_NAMESPACE);
        assertThat(decide("known-of-team-b", decisionsOf("team-b"))).isEqualTo(AccessDecision.ALLOWED_FOR_NAMESPACE);
    }

    /** An empty name would ask about all namespaces, and the others could not be told from several names. */
    @ParameterizedTest
    @ValueSource(strings = {"", "*", "team-a,team-b", "team-a/x", "Team-a", "-a", "a-", "team a", "team.a", "x\n"})
    void onlyTheNameOfANamespaceIsAskedAbout(String name) {
        assertThat(AccessRight.isNamespace(name)).isFalse();
        assertThatThrownBy(() -> decisionsOf(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
