package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one replica does, step by step. {@code SimulationTest} has everything at once. */
class ReplicaTest {

    private static final String CLUSTER = "cluster";
    private static final Member A = new Member("a", "a:8444");
    private static final Member B = new Member("b", "b:8444");
    private static final Member C = new Member("c", "c:8444");
    private static final boolean IN_SYNC = true;
    private static final boolean NOT_IN_SYNC = false;
    private static final boolean CURRENT = true;
    private static final ReplicationTimes TIMES = ReplicationTimes.of(34_000);

    private final Replica<String> replica = new Replica<>(A, CLUSTER, TIMES);
    private List<ReplicationOutput<String>> last = List.of();
    private long now = 1_000;

    @Test
    void theFirstReplicaThereEverWasDecidesAtOnce() {
        lead(A);

        assertThat(replica.mayDecide(now)).isTrue();
        assertThat(decide("s1")).containsExactly("s1");
    }

    /** Somebody has deleted the Lease, and this process has never seen it: availability-mode.md F12. */
    @Test
    void whoCreatesTheLeaseAnewWaits() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.empty(), now);
        last = replica.leaseWritten(write().request(), "v2", now);
        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();

        long seen = now + TIMES.leaseDuration() + TIMES.longestCreate();
        last = replica.watched(seen - 1, CURRENT, now);
        assertThat(replica.mayDecide(now)).isFalse();
        last = replica.watched(seen, CURRENT, now);
        assertThat(replica.mayDecide(now)).isTrue();
        last = replica.watched(Long.MIN_VALUE, CURRENT, now);
        assertThat(replica.mayDecide(now)).as("while pods are listed again").isTrue();
    }

    /** Shows availability-mode.md F4. */
    @Test
    void anAnswerWaitsForEveryMember() {
        lead(A, B);
        assertThat(replica.lag()).containsEntry(B, 0L);
        assertThat(decide("s1")).isEmpty();
        assertThat(replica.lag()).containsEntry(B, 1L);

        acknowledge(B, 1);

        assertThat(released()).containsExactly("s1");
        assertThat(replica.lag()).containsEntry(B, 0L);
    }

    /**
     * The write may have been carried out or not, so that the members of both records are waited for:
     * availability-mode.md F9.
     */
    @Test
    void anAnswerWaitsForTheMembersOfAWriteWithoutAnAnswer() {
        lead(A, B);
        now += TIMES.silentAfter() + 1;
        tickInSteps();
        ReplicationOutput.WriteLease<String> drop = write();
        assertThat(drop.content().inSync()).containsExactly(A);
        assertThat(decide("s1")).isEmpty();
        last = replica.leaseFailed(drop.request(), now);
        assertThat(released()).isEmpty();

        now += TIMES.heartbeat();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v9", A, 2, A)), now);

        assertThat(released()).containsExactly("s1");
    }

    /** It could otherwise take over by an older record, although answers no longer wait for it. */
    @Test
    void aMemberThatWasRemovedIsToldSoByTheNextMessage() {
        lead(A, B);
        now += TIMES.silentAfter() + 1;
        tickInSteps();
        last = replica.leaseWritten(write().request(), "v3", now);
        assertThat(decide("s1")).containsExactly("s1");

        assertThat(sent(B))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message)
                        .isInstanceOfSatisfying(
                                ReplicaMessage.EntryBatch.class,
                                batch -> assertThat(batch.inSync()).isFalse()));
    }

    /** It may have lost since then what it had in that term. */
    @Test
    void anAcknowledgementOfAnEarlierTermReleasesNothing() {
        lead(A, B);
        assertThat(decide("s1")).isEmpty();

        last = replica.receive(from(B, new ReplicaMessage.Acknowledgement<>(1, 1, 1, IN_SYNC, CURRENT)), now);

        assertThat(last).isEmpty();
        acknowledge(B, 1);
        assertThat(released()).containsExactly("s1");
    }

    /** Shows availability-mode.md F7. */
    @Test
    void nothingIsAnsweredWhenTheTimeIsOver() {
        lead(A);
        now += TIMES.renewDeadline();

        assertThat(replica.mayDecide(now)).isFalse();
        assertThat(decide("s1")).isEmpty();
    }

    @Test
    void theHolderStepsDownWhenAMemberLeadsAHigherTerm() {
        lead(A, B);
        assertThat(decide("s1")).isEmpty();

        last = replica.receive(from(B, new ReplicaMessage.EntryBatch<>(3, -1, 0, List.of(), NOT_IN_SYNC)), now);

        assertThat(last).contains(new ReplicationOutput.AbandonAnswer<>("s1"));
        assertThat(replica.isLeading()).isFalse();
        assertThat(replica.holder()).contains(B);
    }

    /** When two leave at once, the first hands the lease to the second, and nobody tells it of the third. */
    @Test
    void theLeaseIsReadWhenTheReplicaThatItNamesDoesNotDecide() {
        follow(B, 5, 0, List.of(), IN_SYNC);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 5, A, B)), now);
        now += 2 * TIMES.heartbeat();

        last = replica.refusedBy(C, now);
        assertThat(last).isEmpty();
        last = replica.refusedBy(B, now);
        assertThat(replica.holder()).isEmpty();
        last = replica.leaseRead(read(), Optional.of(record("v2", C, 6, A, C)), now);

        assertThat(replica.holder()).contains(C);
        last = replica.refusedBy(B, now);
        assertThat(last).isEmpty();
        last = replica.refusedBy(C, now);
        assertThat(last).as("the Lease was read just now").isEmpty();
    }

    @Test
    void entriesOfALowerTermAreRefused() {
        follow(B, 5, 0, List.of(), IN_SYNC);

        follow(C, 4, 1, List.of(new ReplicatedEntry<>(4, "s1", "u1", "")), IN_SYNC);

        assertThat(sent(C)).containsExactly(new ReplicaMessage.TermRefusal<>(5));
        assertThat(replica.entries()).isZero();
    }

    @Test
    void aSecondHolderOfTheSameTermIsRefused() {
        follow(B, 5, 0, List.of(), IN_SYNC);

        follow(C, 5, 0, List.of(), IN_SYNC);

        assertThat(sent(C)).containsExactly(new ReplicaMessage.TermRefusal<>(5));
    }

    @Test
    void strangersOfAnotherClusterGetNoAnswer() {
        lead(A);

        last = replica.receive(
                new ReplicationEnvelope<>(
                        1, 1, "another cluster", B, new ReplicaMessage.EntryBatch<>(9, -1, 0, List.of(), IN_SYNC)),
                now);

        assertThat(last).isEmpty();
        assertThat(replica.isLeading()).isTrue();
    }

    /** Shows availability-mode.md F16. */
    @Test
    void aMessageOfALaterVersionIsNotBelievedAndItsSenderIsToldOurs() {
        last = replica.receive(
                new ReplicationEnvelope<>(
                        2, 2, CLUSTER, B, new ReplicaMessage.EntryBatch<>(9, -1, 0, List.of(), IN_SYNC)),
                now);

        assertThat(sent(B)).containsExactly(new ReplicaMessage.TermRefusal<>(0));
        assertThat(replica.term()).isZero();
    }

    /** During a rollout, the new holder is of a later release than its followers: availability-mode.md F16. */
    @Test
    void aHolderOfALaterReleaseSpeaksTheVersionOfItsFollowers() {
        Replica<String> later = new Replica<>(A, CLUSTER, TIMES, _ -> 0, 2);
        last = later.watched(now, CURRENT, now);
        last = later.receive(from(C, new ReplicaMessage.EntryBatch<>(1, -1, 0, List.of(), IN_SYNC)), now);
        last = later.tick(now);
        last = later.leaseRead(read(), Optional.of(record("v1", A, 2, A, B)), now);
        last = later.leaseWritten(write().request(), "v2", now);
        assertThat(versions(B)).containsExactly(2);

        last = later.receive(from(B, new ReplicaMessage.TermRefusal<>(0)), now);
        assertThat(later.isLeading()).isTrue();
        now += TIMES.heartbeat();
        last = later.tick(now);

        assertThat(versions(B)).containsExactly(1);
    }

    @Test
    void aReplicaOfALaterReleaseAsksToJoinInTheFirstVersion() {
        Replica<String> later = new Replica<>(A, CLUSTER, TIMES, _ -> 0, 2);
        last = later.tick(now);
        last = later.leaseRead(read(), Optional.of(record("v1", B, 2, B)), now);
        last = later.tick(now);

        assertThat(versions(B)).containsExactly(1);
        assertThat(sent(B)).containsExactly(new ReplicaMessage.JoinRequest<>());
    }

    /** It is not ready for reviews before. */
    @Test
    void aReplicaThatHearsThatItIsInSyncReadsTheLeaseSoon() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, B)), now);
        now += 5 * TIMES.heartbeat();
        long told = now;
        follow(B, 1, 0, List.of(), IN_SYNC);
        last = replica.tick(now);
        assertThat(last).as("the Lease is not written yet").noneMatch(ReplicationOutput.ReadLease.class::isInstance);
        long reads = 0;
        for (long end = now + TIMES.renewEvery() / 2; now < end; ) {
            heartbeat();
            if (last.stream().anyMatch(ReplicationOutput.ReadLease.class::isInstance)) {
                reads++;
                last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, B)), now);
                assertThat(now).isGreaterThanOrEqualTo(told + TIMES.heartbeat());
            }
            follow(B, 1, 0, List.of(), IN_SYNC);
        }
        assertThat(reads).as("one in two heartbeats, until the Lease says so").isBetween(3L, 5L);
        heartbeat();
        last = replica.leaseRead(read(), Optional.of(record("v2", B, 1, A, B)), now);
        follow(B, 1, 0, List.of(), IN_SYNC);
        heartbeat();
        heartbeat();
        assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);
    }

    @Test
    void aReplicaThatIsNotInSyncReadsTheLeaseNoMoreOften() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, A, B)), now);
        for (long end = now + TIMES.renewEvery() - TIMES.heartbeat(); now < end; ) {
            heartbeat();
            assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);
        }
        heartbeat();
        last = replica.leaseRead(read(), Optional.of(record("v2", B, 1, B)), now);
        follow(B, 1, 0, List.of(), NOT_IN_SYNC);
        for (long end = now + TIMES.renewEvery() - TIMES.heartbeat(); now < end; ) {
            heartbeat();
            assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);
        }
    }

    @Test
    void entriesBehindAGapAreSentAgain() {
        follow(B, 1, 0, List.of(), IN_SYNC);

        last = replica.receive(
                from(
                        B,
                        new ReplicaMessage.EntryBatch<>(
                                1, 3, 4, List.of(new ReplicatedEntry<>(1, "s4", "u4", "")), IN_SYNC)),
                now);

        assertThat(sent(B))
                .first()
                .isInstanceOfSatisfying(
                        ReplicaMessage.Acknowledgement.class,
                        ack -> assertThat(ack.upTo()).isZero());
        assertThat(replica.entries()).isZero();
    }

    @Test
    void anEntryReplacesTheOneOfTheSameReview() {
        ReplicatedEntry<String> older = new ReplicatedEntry<>(1, "s1", "u1", "");
        ReplicatedEntry<String> newer = new ReplicatedEntry<>(2, "s2", "u1", "");
        follow(B, 1, 1, List.of(older), IN_SYNC);

        follow(C, 2, 1, List.of(newer), IN_SYNC);

        assertThat(last).contains(new ReplicationOutput.ApplyEntry<>(newer, List.of(older)));
        assertThat(replica.entryOf("u1")).contains(newer);
    }

    @Test
    void anEntryReplacesTheOneOfTheSameReservation() {
        ReplicatedEntry<String> first = new ReplicatedEntry<>(1, "s1", "u1", "");
        ReplicatedEntry<String> second = new ReplicatedEntry<>(1, "s1", "u2", "more");
        follow(B, 1, 1, List.of(first), IN_SYNC);

        last = replica.receive(from(B, new ReplicaMessage.EntryBatch<>(1, 1, 2, List.of(second), IN_SYNC)), now);

        assertThat(last).contains(new ReplicationOutput.ApplyEntry<>(second, List.of(first)));
        assertThat(replica.entries()).isEqualTo(1);
        assertThat(replica.entryOf("u1")).isEmpty();
    }

    /** A former holder has sent it, and nobody got the answer. */
    @Test
    void whatTheHolderDoesNotHaveIsForgottenWhenTheWatchHasPassedThatMoment() {
        ReplicatedEntry<String> unanswered = new ReplicatedEntry<>(1, "s1", "u1", "");
        ReplicatedEntry<String> known = new ReplicatedEntry<>(1, "s2", "u2", "");
        follow(B, 1, 2, List.of(unanswered, known), IN_SYNC);

        follow(C, 2, 1, List.of(known), IN_SYNC);
        long reachedAt = now;
        now += TIMES.heartbeat();
        last = replica.watched(reachedAt - 1, CURRENT, now);
        assertThat(last).as("more entries may follow").isEmpty();
        last = replica.receive(from(C, new ReplicaMessage.EntryBatch<>(2, 1, 1, List.of(), IN_SYNC)), now);
        assertThat(last)
                .as("its pod may have been seen by the holder only")
                .noneMatch(ReplicationOutput.ForgetEntry.class::isInstance);

        last = replica.watched(reachedAt, CURRENT, now);

        assertThat(last).containsExactly(new ReplicationOutput.ForgetEntry<>(unanswered));
        assertThat(replica.entries()).isEqualTo(1);
        follow(B, 3, 1, List.of(unanswered), IN_SYNC);
        assertThat(last).contains(new ReplicationOutput.ApplyEntry<>(unanswered, List.of()));
    }

    /** The holder sends the entries of former holders in several messages. */
    @Test
    void nothingIsForgottenBeforeTheHolderHasSentAllOfFormerHolders() {
        ReplicatedEntry<String> first = new ReplicatedEntry<>(1, "s1", "u1", "");
        ReplicatedEntry<String> second = new ReplicatedEntry<>(1, "s2", "u2", "");
        follow(B, 1, 2, List.of(first, second), IN_SYNC);
        follow(C, 2, 1, List.of(first), IN_SYNC);

        last = replica.watched(now, CURRENT, now);
        assertThat(last).isEmpty();
        last = replica.receive(from(C, new ReplicaMessage.EntryBatch<>(2, 1, 2, List.of(second), IN_SYNC)), now);

        assertThat(last)
                .noneMatch(ReplicationOutput.ForgetEntry.class::isInstance)
                .noneMatch(ReplicationOutput.ApplyEntry.class::isInstance);
        assertThat(replica.entries()).isEqualTo(2);
    }

    /** The message before it, which has the entry, is late or lost. */
    @Test
    void nothingIsForgottenBecauseOfAnEmptyMessageBehindAGap() {
        follow(B, 1, 1, List.of(new ReplicatedEntry<>(1, "s1", "u1", "")), IN_SYNC);
        last = replica.receive(from(C, new ReplicaMessage.EntryBatch<>(2, 1, 1, List.of(), IN_SYNC)), now);

        last = replica.watched(now, CURRENT, now);

        assertThat(last).isEmpty();
    }

    /** Otherwise a replica of a busy cluster would never forget. */
    @Test
    void laterEntriesDoNotDelayWhatIsForgotten() {
        ReplicatedEntry<String> unanswered = new ReplicatedEntry<>(1, "s1", "u1", "");
        follow(B, 1, 1, List.of(unanswered), IN_SYNC);
        follow(C, 2, 1, List.of(new ReplicatedEntry<>(2, "s2", "u2", "")), IN_SYNC);
        long complete = now;
        now += TIMES.heartbeat();
        last = replica.receive(
                from(
                        C,
                        new ReplicaMessage.EntryBatch<>(
                                2, 1, 2, List.of(new ReplicatedEntry<>(2, "s3", "u3", "")), IN_SYNC)),
                now);
        last = replica.receive(from(C, new ReplicaMessage.EntryBatch<>(2, 2, 2, List.of(), IN_SYNC)), now);

        last = replica.watched(complete, CURRENT, now);

        assertThat(last).containsExactly(new ReplicationOutput.ForgetEntry<>(unanswered));
    }

    @Test
    void whoTakesOverDecidesWhenItHasForgottenWhatTheFormerHolderDidNotHave() {
        follow(B, 1, 1, List.of(new ReplicatedEntry<>(1, "s1", "u1", "")), IN_SYNC);
        follow(C, 2, 1, List.of(new ReplicatedEntry<>(2, "s2", "u2", "")), IN_SYNC);
        long reachedAt = now;
        last = replica.watched(reachedAt - 1, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", A, 3, A)), now);
        last = replica.leaseWritten(write().request(), "v2", now);
        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();

        last = replica.watched(reachedAt, CURRENT, now);

        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ForgetEntry.class);
        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** A holder that nobody has heard has answered nothing, so what those before it had stays. */
    @Test
    void whoTakesOverFromAHolderThatItHasNotHeardDecidesAtOnce() {
        follow(B, 1, 1, List.of(new ReplicatedEntry<>(1, "s1", "u1", "")), IN_SYNC);
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v2", C, 2, A, C)), now);
        now += TIMES.suspectAfter() + 1;
        tickInSteps();
        last = replica.leaseRead(read(), Optional.of(record("v2", C, 2, A, C)), now);
        last = replica.leaseWritten(write().request(), "v3", now);

        assertThat(replica.mayDecide(now)).isTrue();
        assertThat(replica.entries()).isEqualTo(1);
    }

    @Test
    void aReservationThatHasEndedIsNotMadeAgain() {
        ReplicatedEntry<String> entry = new ReplicatedEntry<>(1, "s1", "u1", "");
        follow(B, 1, 1, List.of(entry), IN_SYNC);
        replica.prune(_ -> false, now);
        now += TIMES.longestCreate();
        replica.prune(_ -> false, now);

        follow(C, 2, 1, List.of(entry), IN_SYNC);

        assertThat(last).noneMatch(ReplicationOutput.ApplyEntry.class::isInstance);
    }

    @Test
    void aMemberTakesOverFromASilentHolderWithoutWaiting() {
        becomeMemberOf(B);
        now += TIMES.suspectAfter() + 1;
        tickInSteps();
        last = replica.leaseRead(read(), Optional.of(record("v8", B, 1, A, B)), now);

        ReplicationOutput.WriteLease<String> takeover = write();
        assertThat(takeover.content().term()).isEqualTo(2);
        assertThat(takeover.content().inSync()).containsExactly(A);
        last = replica.leaseWritten(takeover.request(), "v9", now);
        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** Otherwise the members would take the lease from each other. */
    @Test
    void aMemberThatReadsOfANewHolderGivesItTimeToSendAMessage() {
        becomeMemberOf(B);
        now += TIMES.suspectAfter() + 1;
        tickInSteps();
        last = replica.leaseRead(read(), Optional.of(record("v8", C, 2, A, C)), now);

        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    /** It could not decide. */
    @Test
    void aMemberWhoseViewIsTooOldDoesNotTakeOver() {
        becomeMemberOf(B);
        last = replica.watched(now, /* isCurrent= */ false, now);
        now += TIMES.suspectAfter() + 1;
        tickInSteps();

        last = replica.leaseRead(read(), Optional.of(record("v7", B, 1, A, B)), now);

        assertThat(last)
                .as("neither a write, nor another read before two heartbeats have passed")
                .isEmpty();
    }

    /** Its messages of that time may be waiting to be read. */
    @Test
    void aMemberThatStoodStillDoesNotSuspectTheHolder() {
        becomeMemberOf(B);
        now += TIMES.suspectAfter() + 1;
        last = replica.tick(now);

        assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);
    }

    @Test
    void aHolderThatStoodStillDropsNoMember() {
        lead(A, B);
        acknowledge(B, 0);
        assertThat(decide("s1")).isEmpty();
        now += 4 * TIMES.heartbeat();
        last = replica.tick(now);
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        now += TIMES.renewEvery();
        last = replica.tick(now);

        assertThat(write().content().inSync()).containsExactly(A, B);
    }

    /** The holder is still heard, so no member suspects it, but it decides nothing any more. */
    @Test
    void aMemberTakesOverFromAHolderThatCannotRenewTheLease() {
        becomeMemberOf(B);
        long begun = now;
        Optional<ReplicationOutput.WriteLease<String>> takeover =
                hearWhileTheLeaseStays(begun + 2 * TIMES.leaseDuration());

        assertThat(takeover.orElseThrow().content().holder()).isEqualTo(A);
        assertThat(now - begun).isBetween(TIMES.leaseDuration(), TIMES.leaseDuration() + TIMES.renewEvery());
    }

    @Test
    void aHolderGetsTimeToRenewTheLeaseWhenTheApiServerIsBack() {
        becomeMemberOf(B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseFailed(read(), now);
        now += 2 * TIMES.leaseDuration();
        follow(B, 1, 0, List.of(), IN_SYNC);

        assertThat(hearWhileTheLeaseStays(now + TIMES.leaseDuration() - TIMES.heartbeat()))
                .isEmpty();
    }

    /** Hears the holder and reads the same Lease until this time, or until this replica writes the Lease. */
    private Optional<ReplicationOutput.WriteLease<String>> hearWhileTheLeaseStays(long end) {
        while (now < end) {
            now += TIMES.heartbeat();
            follow(B, 1, 0, List.of(), IN_SYNC);
            last = replica.tick(now);
            if (last.stream().anyMatch(ReplicationOutput.ReadLease.class::isInstance)) {
                last = replica.leaseRead(read(), Optional.of(record("v7", B, 1, A, B)), now);
            }
            if (last.stream().anyMatch(ReplicationOutput.WriteLease.class::isInstance)) {
                return Optional.of(write());
            }
        }
        return Optional.empty();
    }

    @Test
    void aHolderWhoseViewIsTooOldLetsAMemberTakeOver() {
        lead(A, B);
        acknowledge(B, 0);
        last = replica.watched(now, /* isCurrent= */ false, now);
        for (long end = now + 2 * TIMES.silentAfter(); now < end; ) {
            heartbeat();
            assertThat(sent(B)).isEmpty();
            if (writes().findAny().isPresent()) {
                assertThat(write().content().inSync()).containsExactly(A, B);
                last = replica.leaseWritten(write().request(), "v" + now, now);
            }
        }

        last = replica.watched(now, CURRENT, now);
        heartbeat();

        assertThat(sent(B)).isNotEmpty();
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    @Test
    void aHolderThatNobodyWaitsForSendsHalfOfTheHeartbeats() {
        lead(A, B);
        acknowledge(B, 0);
        int atRest = heartbeatsIn(10);
        assertThat(decide("s1")).isEmpty();
        int whileAnAnswerWaits = heartbeatsIn(2);

        assertThat(atRest).isEqualTo(5);
        assertThat(whileAnAnswerWaits).isEqualTo(2);
    }

    private int heartbeatsIn(int ticks) {
        int sent = 0;
        for (int i = 0; i < ticks; i++) {
            heartbeat();
            sent += sent(B).size();
            last = replica.receive(
                    from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, IN_SYNC, CURRENT)), now);
        }
        return sent;
    }

    @Test
    void aMemberRepeatsAnAcknowledgementBeforeItCountsAsSilent() {
        becomeMemberOf(B);
        long from = now;
        List<Long> acknowledged = new ArrayList<>();
        for (; now < from + 2 * TIMES.silentAfter(); now += TIMES.heartbeat()) {
            follow(B, 1, 0, List.of(), IN_SYNC);
            if (!sent(B).isEmpty()) {
                acknowledged.add(now - from);
            }
        }

        assertThat(acknowledged).hasSizeBetween(4, 6);
        for (int i = 1; i < acknowledged.size(); i++) {
            assertThat(acknowledged.get(i) - acknowledged.get(i - 1)).isLessThan(TIMES.silentAfter() / 2);
        }
    }

    @Test
    void aMemberAcknowledgesAtOnceWhatIsNew() {
        becomeMemberOf(B);
        follow(B, 1, 0, List.of(), IN_SYNC);
        follow(B, 1, 0, List.of(), IN_SYNC);
        assertThat(sent(B)).as("nothing is new").isEmpty();

        last = replica.watched(now, /* isCurrent= */ false, now);
        follow(B, 1, 0, List.of(), IN_SYNC);
        assertThat(sent(B))
                .as("its view of the cluster is too old")
                .containsExactly(new ReplicaMessage.Acknowledgement<>(1, 0, 0, IN_SYNC, /* current= */ false));
        ReplicatedEntry<String> entry = new ReplicatedEntry<>(1, "s1", "u1", "");
        follow(B, 1, 1, List.of(entry), IN_SYNC);
        assertThat(sent(B)).as("an entry").hasSize(1);
        follow(B, 1, 1, List.of(entry), IN_SYNC);
        assertThat(sent(B)).as("the same entry once more").hasSize(1);
    }

    /** It acknowledges something all the time, but answers would wait for it longer and longer. */
    @Test
    void aMemberThatIsSlowerThanTheDecisionsIsNotWaitedForLong() {
        lead(A, B);
        acknowledge(B, 0);
        long begun = now;
        int decisions = 0;
        boolean dropped = false;
        while (!dropped && now - begun < 10 * TIMES.dropAfter()) {
            now += TIMES.heartbeat() / 2;
            assertThat(decide("s" + ++decisions)).isEmpty();
            if (decisions % 4 == 0) {
                acknowledge(B, decisions / 4);
            }
            last = replica.tick(now);
            dropped = last.stream().anyMatch(ReplicationOutput.WriteLease.class::isInstance)
                    && write().content().inSync().size() == 1;
        }

        assertThat(dropped).isTrue();
        assertThat(now - begun).isLessThanOrEqualTo(2 * TIMES.dropAfter() + TIMES.heartbeat());
    }

    @Test
    void whoeverReadsThatItIsTheHolderWritesOnceBeforeItDecides() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        ReplicationStoredRecord handedOver = record("v8", A, 2, A);
        last = replica.leaseRead(read(), Optional.of(handedOver), now);
        assertThat(replica.mayDecide(now)).isFalse();
        assertThat(write().content())
                .as("a write that changes nothing proves nothing")
                .isNotEqualTo(handedOver.content());

        last = replica.leaseWritten(write().request(), "v9", now);

        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** Nobody has told it that it is in sync, so that somebody has restored an older record. */
    @Test
    void aReplicaThatIsTheHolderByAnOlderRecordWaits() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        InSyncRecord older = record("v8", A, 7, A).content();
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 7, A, C)), now);
        assertThat(write().content().inSync()).as("nor is anybody else in sync").containsExactly(A);
        assertThat(write().content())
                .as("another record, which gets another version")
                .isNotEqualTo(older);
        last = replica.leaseWritten(write().request(), "v9", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.waitsForFormerHolder()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** Others have decided since then: availability-mode.md F11. */
    @Test
    void aFormerHolderWaitsWhenTheRecordOfItsOwnTermIsRestored() {
        lead(A, B);
        follow(C, 5, 0, List.of(), NOT_IN_SYNC);
        now++;
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v9", A, 2, A, B)), now);
        last = replica.leaseWritten(write().request(), "v10", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** It could not read the Lease in the meantime, and others may have decided: availability-mode.md F11. */
    @Test
    void aHolderThatSteppedDownWaitsWhenTheRecordOfItsTermIsRestored() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 2, A, B)), now);
        last = replica.leaseWritten(write().request(), "v9", now);
        restore(new ReplicationStoredRecord("v10", record("", A, 2, A, B).content(), /* intact= */ false));
        now += TIMES.leaseDuration() + TIMES.longestCreate();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v11", A, 2, A, B)), now);
        last = replica.leaseWritten(write().request(), "v12", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** Nobody has held the lease since the write, so the time until which others may have decided is the same. */
    @Test
    void anOutsiderWhoseWriteGotNoAnswerWaitsNoLonger() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(free(record("v8", B, 7, B))), now);
        ReplicationOutput.WriteLease<String> unanswered = write();
        long until = replica.waitsUntil();
        last = replica.leaseFailed(unanswered.request(), now);
        heartbeat();
        last = replica.leaseRead(
                read(), Optional.of(new ReplicationStoredRecord("v9", unanswered.content(), /* intact= */ true)), now);
        last = replica.leaseWritten(write().request(), "v10", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.waitsUntil()).isEqualTo(until);
    }

    /** Shows availability-mode.md F11. */
    @Test
    void nobodyIsInSyncByARecordThatWasEdited() {
        lead(A, B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRefused(write().request(), now);
        ReplicationStoredRecord edited =
                new ReplicationStoredRecord("v9", record("", A, 2, A).content(), /* intact= */ false);

        last = replica.leaseRead(read(), Optional.of(edited), now);

        assertThat(replica.isLeading()).isFalse();
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    /** Shows availability-mode.md F10. */
    @Test
    void anOutsiderWaitsUntilTheLeaseHasRunOutAndThenForWhatWasAdmitted() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v8", B, 7, B)), now);
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        long seenAt = now;

        now += TIMES.leaseDuration();
        last = replica.tick(now);
        // Somebody has annotated the Lease, so that it has another version.
        last = replica.leaseRead(read(), Optional.of(record("v9", B, 7, B)), now);
        assertThat(write().content().inSync()).containsExactly(A);
        ReplicationOutput.WriteLease<String> seized = write();
        follow(B, 7, 0, List.of(), IN_SYNC);
        assertThat(replica.isLeading()).as("a message of B is very late").isFalse();
        last = replica.leaseWritten(seized.request(), "v10", now);

        assertThat(replica.mayDecide(now)).isFalse();
        long seen = seenAt + TIMES.leaseDuration() + TIMES.longestCreate();
        last = replica.watched(seen - 1, CURRENT, now);
        assertThat(replica.mayDecide(now)).isFalse();
        last = replica.watched(seen, CURRENT, now);
        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** Nobody holds a released lease, so its duration does not matter. */
    @Test
    void anOutsiderTakesAReleasedLeaseAtOnce() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(free(record("v8", B, 7, B))), now);

        assertThat(write().content().holder()).isEqualTo(A);
    }

    /** Its holder may still decide: availability-mode.md F11. */
    @Test
    void anOutsiderTakesALeaseThatSomebodyHasReleasedByHandOnlyWhenItHasRunOut() {
        InSyncRecord edited = new InSyncRecord(/* holder= */ null, 7, new TreeSet<>(), 0);
        ReplicationStoredRecord stored = new ReplicationStoredRecord("v8", edited, /* intact= */ false);
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(stored), now);
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);

        now += TIMES.leaseDuration();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(stored), now);
        assertThat(write().content().term()).isEqualTo(8);
    }

    /** The holder of the Lease that was deleted may still have decided. */
    @Test
    void aReleaseDoesNotShortenAnEarlierWait() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.empty(), now);
        last = replica.leaseWritten(write().request(), "v2", now);
        long until = replica.waitsUntil();
        restore(free(record("v9", B, 5, B)));

        assertThat(write().content().holder()).isEqualTo(A);
        assertThat(replica.waitsUntil()).isEqualTo(until);
    }

    @Test
    void aMemberTakesAReleasedLeaseAlthoughItHasJustHeardTheFormerHolder() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(free(record("v8", B, 1, A, B))), now);

        assertThat(write().content().holder()).isEqualTo(A);
    }

    private static ReplicationStoredRecord free(ReplicationStoredRecord held) {
        return new ReplicationStoredRecord(
                held.version(), held.content().handedOver(B, /* successor= */ null), /* intact= */ true);
    }

    /** Shows availability-mode.md F4. */
    @Test
    void aNewReplicaBecomesAMemberOnlyWhenItsWatchHasCaughtUp() {
        lead(A);
        assertThat(decide("s1")).containsExactly("s1");
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 1, -1, NOT_IN_SYNC, CURRENT)), now);
        heartbeat();
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        assertThat(replica.pace(now)).as("it is to become a member soon").isLessThan(TIMES.heartbeat());

        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 1, 1, NOT_IN_SYNC, CURRENT)), now);
        heartbeat();
        heartbeat();
        // It is waited for from now on, and is told so before the Lease is written.
        assertThat(decide("s2")).isEmpty();
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 2, 2, IN_SYNC, CURRENT)), now);
        assertThat(released()).containsExactly("s2");
        heartbeat();

        assertThat(write().content().inSync()).containsExactly(A, B);
        assertThat(replica.pace(now)).isLessThan(TIMES.heartbeat());
        last = replica.leaseWritten(write().request(), "v3", now);
        assertThat(replica.pace(now)).as("nobody is waited for any more").isEqualTo(TIMES.restingHeartbeat());
    }

    /** The write that adds the replica may still be carried out, so that the replica may take over. */
    @Test
    void whoWasAddedWithoutAnAnswerIsWaitedForUntilAnotherVersionIsRead() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();
        acknowledge(B, 0);
        heartbeat();
        ReplicationOutput.WriteLease<String> added = write();
        assertThat(added.content().inSync()).containsExactly(A, B);
        last = replica.leaseFailed(added.request(), now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, IN_SYNC, /* current= */ false)),
                now);
        heartbeat();
        last = replica.leaseRead(read(), Optional.of(record("v2", A, 1, A)), now);
        assertThat(decide("s1")).isEmpty();

        restore(record("v3", A, 1, A));

        assertThat(released()).containsExactly("s1");
    }

    @Test
    void whoWasNotAddedBecauseTheWriteWasRefusedIsNotWaitedFor() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();
        acknowledge(B, 0);
        heartbeat();
        assertThat(write().content().inSync()).containsExactly(A, B);
        last = replica.leaseRefused(write().request(), now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, IN_SYNC, /* current= */ false)),
                now);
        heartbeat();

        assertThat(decide("s1")).containsExactly("s1");
    }

    /** Who is added could take over, and would not know that it has to wait. */
    @Test
    void aHolderThatWaitsAddsNobody() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.empty(), now);
        last = replica.leaseWritten(write().request(), "v2", now);
        assertThat(replica.waitsForFormerHolder()).isTrue();
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        for (int i = 0; i < 3; i++) {
            acknowledge(B, 0);
            heartbeat();
            assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        }
    }

    /** Otherwise answers would wait for all that it does not have yet. */
    @Test
    void aNewReplicaIsNotWaitedForBeforeItHasAllEntries() {
        lead(A);
        assertThat(decide("s1")).containsExactly("s1");
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();

        assertThat(decide("s2")).containsExactly("s2");
    }

    /** The holder has told it that it is in sync, and does not wait for it any more. */
    @Test
    void aNewReplicaThatFallsSilentBeforeItIsAddedIsNotInSync() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, NOT_IN_SYNC, CURRENT)), now);
        heartbeat();
        assertThat(isToldThatItIsInSync(B)).isTrue();
        assertThat(decide("s1")).isEmpty();
        for (int i = 0; i < 4; i++) {
            heartbeat();
        }
        assertThat(released()).containsExactly("s1");

        heartbeat();
        assertThat(isToldThatItIsInSync(B)).isFalse();
    }

    private boolean isToldThatItIsInSync(Member member) {
        return ((ReplicaMessage.EntryBatch<String>) sent(member).getLast()).inSync();
    }

    @Test
    void aNewReplicaWhoseViewIsTooOldIsNotAdded() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();
        heartbeat();
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, IN_SYNC, /* current= */ false)),
                now);
        last = replica.tick(now + 1);

        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    /** It has read a record that does not name it. */
    @Test
    void aNewReplicaThatHasForgottenThatItIsInSyncIsNotAdded() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        acknowledge(B, 0);
        heartbeat();
        acknowledge(B, 0);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, NOT_IN_SYNC, CURRENT)), now);
        last = replica.tick(now + 1);

        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    @Test
    void aMemberThatSendsNothingLeavesTheSet() {
        lead(A, B);
        acknowledge(B, 0);
        now += TIMES.silentAfter() + 1;
        tickInSteps();

        assertThat(write().content().inSync()).containsExactly(A);
    }

    /** The API server may not answer, so that it stays in the set. */
    @Test
    void aMemberThatWasSilentIsHeardAgain() {
        lead(A, B);
        acknowledge(B, 0);
        now += TIMES.silentAfter() + 1;
        tickInSteps();
        assertThat(write().content().inSync()).containsExactly(A);
        assertThat(decide("s1")).isEmpty();

        acknowledge(B, 1);

        assertThat(released()).containsExactly("s1");
    }

    /** It had nothing to acknowledge before. */
    @Test
    void aMemberIsNotLateWithWhatWasJustSent() {
        lead(A, B);
        acknowledge(B, 0);
        for (int i = 0; i < 10; i++) {
            heartbeat();
            acknowledge(B, 0);
        }
        assertThat(decide("s1")).isEmpty();
        heartbeat();

        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
    }

    @Test
    void entriesAreSentAgainOnlyWhenNothingWasAcknowledgedForAWhile() {
        lead(A, B);
        acknowledge(B, 0);
        now += TIMES.heartbeat() / 2;
        assertThat(decide("s1")).isEmpty();
        now += TIMES.heartbeat() / 2;
        last = replica.tick(now);
        assertThat(entriesSent(B)).as("it was sent just now").isZero();
        assertThat(decide("s2")).isEmpty();
        acknowledge(B, 1);
        now += TIMES.heartbeat() - 1;
        last = replica.tick(now);
        assertThat(entriesSent(B)).as("something was acknowledged just now").isZero();
        heartbeat();
        assertThat(entriesSent(B)).isEqualTo(1);
    }

    /** It was removed in this term, and joins again. */
    @Test
    void whatAReplicaHasAlreadyIsNotSentAgain() {
        lead(A, B);
        acknowledge(B, 0);
        for (int i = 1; i <= 2_500; i++) {
            replica.decided("s" + i, "u" + i, "");
        }
        last = replica.endTurn(now);
        assertThat(entriesSent(B)).isLessThan(2_500);
        acknowledge(B, 2_500);

        assertThat(sent(B)).isEmpty();
    }

    @Test
    void whatWasNeverSentIsNotAcknowledged() {
        lead(A, B);
        acknowledge(B, 1_000);

        assertThat(decide("s1")).isEmpty();
    }

    /** Otherwise answers would wait for its watch. */
    @Test
    void aNewReplicaIsNotWaitedForBeforeItsWatchMoves() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, -1, NOT_IN_SYNC, CURRENT)), now);
        heartbeat();

        assertThat(decide("s1")).containsExactly("s1");
    }

    /** The watch has passed the moment of the first position, and may not have passed that of the second. */
    @Test
    void aPositionIsSettledWhenTheWatchHasPassedTheMomentAtWhichItWasReached() {
        follow(B, 1, 1, List.of(new ReplicatedEntry<>(1, "s1", "u1", "")), IN_SYNC);
        long first = now;
        now += TIMES.heartbeat() / 2;
        last = replica.receive(
                from(
                        B,
                        new ReplicaMessage.EntryBatch<>(
                                1, 1, 2, List.of(new ReplicatedEntry<>(1, "s2", "u2", "")), IN_SYNC)),
                now);
        assertThat(settledBy(first)).isLessThan(2);
        assertThat(settledBy(now)).isEqualTo(2);
    }

    /** Its entries have other positions. */
    @Test
    void nothingIsSettledByTheWatchOfAnEarlierTerm() {
        follow(B, 1, 2, List.of(new ReplicatedEntry<>(1, "s1", "u1", "")), IN_SYNC);
        assertThat(settledBy(now)).isEqualTo(2);
        now += TIMES.heartbeat();
        last = replica.receive(from(B, new ReplicaMessage.EntryBatch<>(1, 2, 3, List.of(), IN_SYNC)), now);
        long former = now;
        now += TIMES.heartbeat();
        follow(C, 2, 0, List.of(), IN_SYNC);
        assertThat(sent(C)).containsExactly(new ReplicaMessage.Acknowledgement<>(2, 0, -1, IN_SYNC, CURRENT));

        last = replica.watched(former, CURRENT, now);
        last = replica.leave(now);
        assertThat(sent(C))
                .containsExactly(new ReplicaMessage.Acknowledgement<>(2, 0, -1, IN_SYNC, /* current= */ false));
    }

    private long settledBy(long watchedUpTo) {
        last = replica.watched(watchedUpTo, CURRENT, now);
        last = replica.receive(from(B, new ReplicaMessage.EntryBatch<>(1, 2, 2, List.of(), IN_SYNC)), now);
        return sent(B).stream()
                .map(message -> (ReplicaMessage.Acknowledgement<String>) message)
                .mapToLong(ReplicaMessage.Acknowledgement<String>::settled)
                .findFirst()
                .orElseThrow();
    }

    /** Others may have decided since the record was written: availability-mode.md F11. */
    @Test
    void aFormerHolderIsNotInSyncByAnOlderRecord() {
        lead(A, B);
        restore(record("v9", C, 1, A, C));
        assertThat(replica.isLeading()).isFalse();

        waitsAfterTakingOver(record("v9", C, 1, A, C));
    }

    /** Its holder has told it so before it read that it was removed. */
    @Test
    void whoIsToldThatItIsNotInSyncDoesNotTakeOver() {
        becomeMemberOf(B);
        follow(B, 1, 0, List.of(), NOT_IN_SYNC);

        waitsAfterTakingOver(record("v7", B, 1, A, B));
    }

    /** Shows availability-mode.md F11. */
    @Test
    void whoHasReadAnEditedRecordIsNotInSyncByAnOlderOne() {
        readsOfATermThatSomebodyHasEdited();

        waitsAfterTakingOver(record("v9", B, 1, A, B));
    }

    @Test
    void theTermOfAnEditedRecordIsNotBelieved() {
        readsOfATermThatSomebodyHasEdited();

        follow(B, 1, 0, List.of(), IN_SYNC);

        assertThat(sent(B)).hasOnlyElementsOfType(ReplicaMessage.Acknowledgement.class);
    }

    private void readsOfATermThatSomebodyHasEdited() {
        becomeMemberOf(B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        InSyncRecord edited = new InSyncRecord(C, 9, new TreeSet<>(), 0);
        last = replica.leaseRead(
                read(), Optional.of(new ReplicationStoredRecord("v8", edited, /* intact= */ false)), now);
    }

    /** Shows availability-mode.md F11. */
    @Test
    void whoWasRemovedIsNotInSyncByAnOlderRecord() {
        becomeMemberOf(B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v8", B, 1, B)), now);

        waitsAfterTakingOver(record("v9", B, 1, A, B));
    }

    private void waitsAfterTakingOver(ReplicationStoredRecord restored) {
        for (long end = now + 2 * TIMES.leaseDuration(); now < end && !replica.isLeading(); ) {
            heartbeat();
            if (last.stream().anyMatch(ReplicationOutput.ReadLease.class::isInstance)) {
                last = replica.leaseRead(read(), Optional.of(restored), now);
            }
            if (last.stream().anyMatch(ReplicationOutput.WriteLease.class::isInstance)) {
                assertThat(write().content().inSync()).containsExactly(A);
                last = replica.leaseWritten(write().request(), "v10", now);
            }
        }
        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** Makes this holder read a record that it has not written. */
    private void restore(ReplicationStoredRecord restored) {
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRefused(write().request(), now);
        last = replica.leaseRead(read(), Optional.of(restored), now);
    }

    /** Its entries of the first time and of the second would have the same term. */
    @Test
    void noTermIsLedTwice() {
        lead(A, B);
        restore(new ReplicationStoredRecord("v9", record("", A, 2, A, B).content(), /* intact= */ false));
        assertThat(replica.isLeading()).isFalse();
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v10", A, 2, A, B)), now);

        assertThat(write().content().term()).isEqualTo(3);
    }

    /** The record is an older one, and the replica was never told that it is in sync. */
    @Test
    void whoIsAddedByAnOlderRecordLeavesTheSet() {
        lead(A, B);
        acknowledge(B, 0);
        restore(record("v9", A, 2, A, B, C));

        assertThat(write().content().inSync()).containsExactly(A, B);
    }

    /** Nobody knows then who is in sync. */
    @Test
    void whoeverLeavesWritesNothingIntoARecordThatWasEdited() {
        becomeMemberOf(B);
        last = replica.leave(now);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(
                read(),
                Optional.of(
                        new ReplicationStoredRecord("v8", record("", A, 1, A).content(), /* intact= */ false)),
                now);

        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        assertThat(replica.hasLeft()).isTrue();
    }

    @Test
    void aRefusalTellsTheTermThatIsOver() {
        lead(A, B);
        last = replica.receive(from(B, new ReplicaMessage.TermRefusal<>(7)), now);
        assertThat(replica.isLeading()).isFalse();

        follow(C, 6, 0, List.of(), IN_SYNC);
        assertThat(sent(C)).containsExactly(new ReplicaMessage.TermRefusal<>(7));

        follow(B, 7, 0, List.of(), IN_SYNC);
        assertThat(replica.holder()).contains(B);
        follow(C, 7, 0, List.of(), IN_SYNC);
        assertThat(sent(C)).as("there is one holder in each term").containsExactly(new ReplicaMessage.TermRefusal<>(7));
    }

    @Test
    void theHolderOfARefusedTermIsKnownFromTheLease() {
        lead(A, B);
        last = replica.receive(from(B, new ReplicaMessage.TermRefusal<>(7)), now);
        last = replica.leaseRead(read(), Optional.of(record("v9", C, 7, B, C)), now);

        follow(B, 7, 0, List.of(), IN_SYNC);

        assertThat(sent(B)).containsExactly(new ReplicaMessage.TermRefusal<>(7));
    }

    /** It may hear of a hand-over that has failed. */
    @Test
    void aHolderGoesOnUntilItReadsThatItIsNotTheHolder() {
        lead(A, B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(3)), now);

        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
        assertThat(replica.holder()).contains(A);
        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** A deleted Lease begins with the first term again: availability-mode.md F12. */
    @Test
    void theHolderStepsDownWhenAnotherReplicaHoldsALeaseOfTheSameTerm() {
        lead(A);
        assertThat(replica.term()).isEqualTo(1);
        restore(record("v9", C, 1, C));

        assertThat(replica.isLeading()).isFalse();
    }

    @Test
    void aNoticeOfAnEarlierHandOverIsIgnored() {
        follow(B, 5, 0, List.of(), IN_SYNC);

        last = replica.receive(from(C, new ReplicaMessage.HandoverNotice<>(5)), now);

        assertThat(replica.holder()).contains(B);
    }

    /** Somebody has deleted the Lease and the mark that there was one: availability-mode.md F12. */
    @Test
    void whoHasSeenALeaseWaitsWhenItCreatesItAnew() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, B)), now);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.empty(), now);
        replica.startedFirst();
        last = replica.leaseWritten(write().request(), "v2", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** The record of before it was added arrives late, and the former holder has told it of the hand-over. */
    @Test
    void aSuccessorThatHasJustReadTheRecordOfBeforeDecidesAtOnce() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, B)), now);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        long late = read();
        follow(B, 1, 0, List.of(), IN_SYNC);
        last = replica.leaseRead(late, Optional.of(record("v1", B, 1, B)), now);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(record("v3", A, 2, A)), now);
        assertThat(write().content().term()).isEqualTo(2);
        last = replica.leaseWritten(write().request(), "v4", now);

        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** The notice is of another term than the record, which somebody has restored. */
    @Test
    void aNoticeOfAnotherTermMakesNobodyInSync() {
        follow(B, 1, 0, List.of(), NOT_IN_SYNC);
        last = replica.watched(now, CURRENT, now);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(3)), now);
        last = replica.leaseRead(read(), Optional.of(record("v3", A, 2, A)), now);
        last = replica.leaseWritten(write().request(), "v4", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    @Test
    void whoeverLeavesHandsTheLeaseOverWhenNothingWaits() {
        lead(A, B);
        acknowledge(B, 0);
        last = replica.leave(now);
        assertThat(last).as("it has nobody to tell yet").isEmpty();
        assertThat(decide("s1")).isEmpty();
        now += TIMES.beforeHandOver();
        last = replica.leave(now);
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        acknowledge(B, 1);

        ReplicationOutput.WriteLease<String> handover = write();
        assertThat(handover.content().holder()).isEqualTo(B);
        assertThat(handover.content().inSync()).containsExactly(B);
        last = replica.leaseWritten(handover.request(), "v9", now);
        assertThat(sent(B)).contains(new ReplicaMessage.HandoverNotice<>(3));
        assertThat(replica.hasLeft()).isTrue();
    }

    @Test
    void aHandOverThatFailsIsTriedAgainAfterAPause() {
        lead(A, B);
        acknowledge(B, 0);
        last = replica.leave(now);
        now += TIMES.beforeHandOver();
        last = replica.tick(now);

        last = replica.leaseFailed(write().request(), now);

        assertThat(last)
                .noneMatch(ReplicationOutput.WriteLease.class::isInstance)
                .noneMatch(ReplicationOutput.ReadLease.class::isInstance);
        now += TIMES.heartbeat();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v9", A, 2, A, B)), now);
        assertThat(write().content().holder()).isEqualTo(B);
    }

    @Test
    void aReplicaThatNobodyWaitsForLeavesAtOnce() {
        assertThat(replica.hasLeft()).isFalse();

        last = replica.leave(now);

        assertThat(replica.hasLeft()).isTrue();
    }

    @Test
    void aMemberThatLeavesWaitsUntilItIsRemoved() {
        becomeMemberOf(B);
        last = replica.leave(now);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v7", B, 1, A, B)), now);
        assertThat(last).as("the lease is not its own").noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        assertThat(replica.hasLeft()).isFalse();

        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v8", B, 1, B)), now);
        assertThat(replica.hasLeft()).isTrue();
        now += TIMES.renewEvery();
        last = replica.tick(now);
        assertThat(sent(B)).as("it does not ask to join again").isEmpty();
    }

    @Test
    void onlyAReplicaOutsideTheSetAsksToJoinAndNotOften() {
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v1", B, 1, B)), now);
        int requests = 0;
        for (int i = 0; i < 10; i++) {
            heartbeat();
            requests += sent(B).size();
        }
        assertThat(requests).isEqualTo(2);

        now += TIMES.renewEvery();
        becomeMemberOf(B);
        for (int i = 0; i < 10; i++) {
            heartbeat();
            assertThat(sent(B)).isEmpty();
        }
    }

    /** The owner calls it a few times a second in any case. */
    @Test
    void aReplicaTicksFastOnlyIfItWaitsForSomething() {
        follow(B, 1, 0, List.of(), IN_SYNC);
        assertThat(replica.pace(now)).as("it is not a member").isEqualTo(TIMES.heartbeat());
        becomeMemberOf(B);
        assertThat(replica.pace(now)).isZero();
        follow(B, 1, 0, List.of(), NOT_IN_SYNC);
        assertThat(replica.pace(now)).as("it is not in sync").isEqualTo(TIMES.heartbeat());
        follow(B, 1, 0, List.of(), IN_SYNC);
        now += 2 * TIMES.restingHeartbeat();
        assertThat(replica.pace(now)).as("it does not hear the holder").isEqualTo(TIMES.heartbeat());
    }

    @Test
    void aHolderThatIsAloneNeedsNoFastTicks() {
        lead(A);

        assertThat(replica.pace(now)).isZero();
    }

    @Test
    void aMessageThatComesBackToItsSenderIsIgnored() {
        lead(A);
        last = replica.receive(from(A, new ReplicaMessage.JoinRequest<>()), now);

        assertThat(replica.lag()).isEmpty();
    }

    /** Timers are some milliseconds early or late. */
    @Test
    void aHeartbeatIsDueAlthoughTheTimerIsEarly() {
        lead(A, B);
        now += TIMES.heartbeat() - TIMES.heartbeat() / 10;
        last = replica.tick(now);

        assertThat(sent(B)).hasSize(1);
    }

    /** They may be three heartbeats apart, and a little late. */
    @Test
    void aMemberThatTicksSlowlySuspectsASilentHolder() {
        becomeMemberOf(B);
        for (int i = 0; i < 2; i++) {
            now += 4 * TIMES.heartbeat();
            last = replica.tick(now);
        }

        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
    }

    @Test
    void aWriteWithoutAnAnswerIsGivenUpAndTheLeaseIsRead() {
        lead(A);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        assertThat(write().content().holder()).isEqualTo(A);
        now += TIMES.writeTimeout();
        last = replica.tick(now);

        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
    }

    /** The holder chooses its successor a moment later, and does not choose a replica that leaves, too. */
    @Test
    void aMemberThatLeavesTellsTheHolderAtOnce() {
        becomeMemberOf(B);

        last = replica.leave(now);

        assertThat(sent(B))
                .containsExactly(new ReplicaMessage.Acknowledgement<>(1, 0, -1, IN_SYNC, /* current= */ false));
    }

    /** Otherwise their reviews would first come to the former holder in vain. */
    @Test
    void everyReplicaIsToldOfAHandOver() {
        lead(A, B);
        acknowledge(B, 0);
        last = replica.receive(from(C, new ReplicaMessage.JoinRequest<>()), now);
        last = replica.leave(now);
        last = replica.end(now);
        last = replica.leaseWritten(write().request(), "v8", now);

        assertThat(sent(B)).contains(new ReplicaMessage.HandoverNotice<>(3));
        assertThat(sent(C)).contains(new ReplicaMessage.HandoverNotice<>(3));
    }

    @Test
    void theSuccessorIsNotAReplicaThatLeavesToo() {
        lead(A, B, C);
        acknowledge(C, 0);
        last = replica.leave(now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(2, 0, 0, IN_SYNC, /* current= */ false)), now);
        last = replica.leaseWritten(write().request(), "v8", now);
        now += TIMES.beforeHandOver();
        last = replica.tick(now);

        assertThat(write().content().holder()).isEqualTo(C);
    }

    @Test
    void aHolderWhoseSuccessorLeavesTooDecidesAgain() {
        lead(A, B, C);
        acknowledge(B, 0);
        acknowledge(C, 0);
        last = replica.leave(now);
        assertThat(decide("s1")).isEmpty();
        now += TIMES.beforeHandOver();
        acknowledge(B, 1);
        assertThat(replica.mayDecide(now)).as("while the hand-over waits").isFalse();

        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 1, 1, IN_SYNC, /* current= */ false)),
                now);
        assertThat(write().content().holder()).isEqualTo(A);
        assertThat(replica.mayDecide(now)).as("nobody can replace it").isTrue();
    }

    /** Each write would delay the hand-over. */
    @Test
    void aHolderThatIsAboutToHandOverAddsNobody() {
        Member d = new Member("d", "d:8444");
        lead(A, B, C);
        acknowledge(B, 0);
        acknowledge(C, 0);
        last = replica.receive(from(d, new ReplicaMessage.JoinRequest<>()), now);
        last = replica.leave(now);
        assertThat(decide("s1")).isEmpty();
        now += TIMES.beforeHandOver();
        acknowledge(B, 1);
        assertThat(replica.mayDecide(now)).as("while the hand-over waits for C").isFalse();

        for (int i = 0; i < 3; i++) {
            acknowledge(d, 1);
            last = replica.tick(now);
            assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        }
    }

    /** Otherwise the reviews that the former holder passes on would be sent back to it. */
    @Test
    void whoeverIsToldThatItIsTheHolderDoesNotNameTheFormerOne() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);

        assertThat(replica.holder()).isEmpty();
        assertThat(replica.pace(now)).isPositive().isLessThan(TIMES.heartbeat());
    }

    @Test
    void aHolderThatLeavesTicksFast() {
        lead(A, B);
        acknowledge(B, 0);
        assertThat(replica.pace(now)).isEqualTo(TIMES.restingHeartbeat());
        last = replica.leave(now);
        assertThat(replica.pace(now)).isLessThan(TIMES.heartbeat());
    }

    /** Shows availability-mode.md F3. */
    @Test
    void aHolderThatNobodyCanReplaceDecidesUntilNobodyAsksAnyMore() {
        lead(A);
        last = replica.leave(now);
        heartbeat();
        assertThat(last).noneMatch(ReplicationOutput.WriteLease.class::isInstance);
        assertThat(decide("s1")).containsExactly("s1");
        assertThat(replica.hasLeft()).isFalse();

        last = replica.end(now);

        ReplicationOutput.WriteLease<String> release = write();
        assertThat(replica.mayDecide(now)).isFalse();
        assertThat(release.content().holder()).isNull();
        last = replica.leaseWritten(release.request(), "v9", now);
        assertThat(replica.hasLeft()).isTrue();
    }

    /** The replica that takes its place starts while it drains. */
    @Test
    void aHolderThatLeavesTakesInWhoCanReplaceIt() {
        lead(A);
        last = replica.leave(now);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        assertThat(sent(B)).hasAtLeastOneElementOfType(ReplicaMessage.EntryBatch.class);
        acknowledge(B, 0);
        heartbeat();
        acknowledge(B, 0);
        ReplicationOutput.WriteLease<String> added = write();
        assertThat(added.content().inSync()).containsExactly(A, B);
        last = replica.leaseWritten(added.request(), "v8", now);
        now += TIMES.beforeHandOver();
        last = replica.tick(now);

        assertThat(write().content().holder()).isEqualTo(B);
    }

    /** Whoever has a certificate of a replica could ask with any number of names: availability-mode.md F18. */
    @Test
    void onlyAFewReplicasFollowTheHolder() {
        lead(A);
        for (int i = 0; i < 1_000; i++) {
            Member stranger = new Member("stranger-" + i, "");
            last = replica.receive(from(stranger, new ReplicaMessage.JoinRequest<>()), now);
        }
        assertThat(replica.lag()).hasSize(ReplicationLeadership.MOST_FOLLOWERS);
        assertThat(replica.refusedJoins()).isEqualTo(1_000 - ReplicationLeadership.MOST_FOLLOWERS);
        assertThat(last).isEmpty();

        // Those that say nothing more are forgotten, and there is room for others.
        now += TIMES.silentAfter() + 1;
        tickInSteps();
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        assertThat(replica.lag()).containsOnlyKeys(B);
    }

    /** A set of more than 16 KiB would not be read from the Lease. */
    @Test
    void theNamesOfAllThatFollowFitIntoTheLease() {
        lead(A);
        for (int i = 0; i < ReplicationLeadership.MOST_FOLLOWERS; i++) {
            Member longName = new Member("x".repeat(510) + String.format("%02d", i), "y".repeat(512));
            last = replica.receive(from(longName, new ReplicaMessage.JoinRequest<>()), now);
        }
        assertThat(replica.lag().keySet().stream()
                        .mapToInt(member ->
                                member.identity().length() + member.address().length() + 2)
                        .sum())
                .isBetween(8 * 1024, 16 * 1024);
        assertThat(replica.refusedJoins()).isPositive();
    }

    /**
     * A webhook for all kinds that does not answer delays each write by its timeout of 3 s
     * (open-policy-agent/gatekeeper#870, open-policy-agent/gatekeeper#3829): availability-mode.md F20.
     */
    @Test
    void aHolderDecidesOnWhileAWebhookDelaysEachWrite() {
        lead(A);
        SlowWrites server = new SlowWrites(InSyncRecord.first(A, 1), "v2");

        for (long end = now + 60_000; now < end; now += TIMES.heartbeat()) {
            server.step();
            assertThat(replica.mayDecide(now)).isTrue();
        }
    }

    /** The same: availability-mode.md F20. */
    @Test
    void aMemberTakesOverWhileAWebhookDelaysEachWrite() {
        becomeMemberOf(B);
        SlowWrites server = new SlowWrites(new InSyncRecord(B, 1, new TreeSet<>(List.of(A, B)), 0), "v7");

        for (long end = now + 10_000; now < end; now += TIMES.heartbeat()) {
            server.step();
        }
        assertThat(replica.mayDecide(now)).isTrue();
    }

    /** An API server that answers reads at once, and each write after 3,050 ms. */
    private final class SlowWrites {
        private InSyncRecord content;
        private String version;
        private ReplicationOutput.@Nullable WriteLease<String> pending;
        private long answerAt;

        SlowWrites(InSyncRecord content, String version) {
            this.content = content;
            this.version = version;
        }

        void step() {
            last = replica.watched(now, CURRENT, now);
            ReplicationOutput.WriteLease<String> write = pending;
            if (write != null && now >= answerAt) {
                pending = null;
                answer(write);
                perform();
            }
            last = replica.tick(now);
            perform();
        }

        private void answer(ReplicationOutput.WriteLease<String> write) {
            if (version.equals(write.basis())) {
                content = write.content();
                version += "'";
                last = replica.leaseWritten(write.request(), version, now);
            } else {
                last = replica.leaseRefused(write.request(), now);
            }
        }

        private void perform() {
            for (ReplicationOutput<String> output : last) {
                switch (output) {
                    case ReplicationOutput.ReadLease<String>(long request) -> {
                        last = replica.leaseRead(
                                request,
                                Optional.of(new ReplicationStoredRecord(version, content, /* intact= */ true)),
                                now);
                        perform();
                    }
                    case ReplicationOutput.WriteLease<String> write -> {
                        pending = write;
                        answerAt = now + 3_050;
                    }
                    default -> {}
                }
            }
        }
    }

    /** The author of a pod can make an entry large. A replica ends a connection with a message that is too large. */
    @Test
    void largeEntriesAreSentInSeveralMessages() {
        Replica<String> heavy = new Replica<>(A, CLUSTER, TIMES, String::length);
        last = heavy.watched(now, CURRENT, now);
        last = heavy.tick(now);
        last = heavy.leaseRead(read(), Optional.empty(), now);
        last = heavy.leaseWritten(write().request(), "v2", now);
        last = heavy.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        List<String> changes = new ArrayList<>();
        for (int size : new int[] {300_000, 60_000, 60_000, 60_000, 200_000, 1, 1}) {
            changes.add("x".repeat(size));
            heavy.decided("s" + changes.size(), "u" + changes.size(), changes.getLast());
        }
        last = heavy.endTurn(now);

        List<List<String>> messages = sent(B).stream()
                .map(message -> ((ReplicaMessage.EntryBatch<String>) message)
                        .entries().stream().map(ReplicatedEntry::change).toList())
                .toList();
        assertThat(messages.stream().flatMap(List::stream)).containsExactlyElementsOf(changes);
        assertThat(messages)
                .extracting(List::size)
                .as("at most 128 KiB, or one entry")
                .containsExactly(1, 2, 1, 1, 2);
    }

    /** A member that has not read yet that it is one asks again. */
    @Test
    void aReplicaThatFollowsAlreadyIsNotSentEverythingOnceMore() {
        lead(A, B);
        assertThat(decide("s1")).isEmpty();
        acknowledge(B, 1);

        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);

        assertThat(last).isEmpty();
        assertThat(replica.lag()).containsEntry(B, 0L);
        assertThat(replica.refusedJoins()).isZero();
    }

    /** Its write may have made the other replica the holder. */
    @Test
    void whoeverHasStoppedDecidingAtItsEndDoesNotBeginAgain() {
        lead(A, B);
        acknowledge(B, 0);
        last = replica.end(now);
        last = replica.leaseFailed(write().request(), now);
        last = replica.receive(
                from(B, new ReplicaMessage.Acknowledgement<>(replica.term(), 0, 0, IN_SYNC, /* current= */ false)),
                now);
        heartbeat();
        last = replica.leaseRead(read(), Optional.of(record("v2", A, 2, A, B)), now);

        assertThat(replica.mayDecide(now)).isFalse();
    }

    /** The release would wait until the new replica has caught up, and nobody would decide in the meantime. */
    @Test
    void whoeverHasStoppedDecidingTakesInNobody() {
        lead(A);
        last = replica.end(now);
        assertThat(write().content().holder()).isNull();

        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);

        assertThat(last).isEmpty();
        assertThat(replica.lag()).isEmpty();
    }

    /** The new replica of a rollout of one may still be catching up when reviews stop to arrive at the old one. */
    @Test
    void whoeverEndsWaitsSomeTimeForAReplicaThatCatchesUp() {
        lead(A);
        last = replica.receive(from(B, new ReplicaMessage.JoinRequest<>()), now);
        long begun = now;
        last = replica.end(now);
        now += TIMES.renewEvery() / 2;
        last = replica.end(now);
        Optional<InSyncRecord> released = Optional.empty();
        while (released.isEmpty() && now < begun + 2 * TIMES.renewDeadline()) {
            heartbeat();
            released = writes().map(ReplicationOutput.WriteLease<String>::content)
                    .filter(content -> content.holder() == null)
                    .findFirst();
            if (released.isEmpty() && writes().findAny().isPresent()) {
                last = replica.leaseWritten(write().request(), "v" + now, now);
            }
            last = replica.receive(from(B, new ReplicaMessage.Acknowledgement<>(1, 0, -1, NOT_IN_SYNC, CURRENT)), now);
        }

        assertThat(released).isPresent();
        assertThat(now - begun).isBetween(TIMES.renewDeadline(), TIMES.renewDeadline() + TIMES.heartbeat());
    }

    /** The answer to a read that began before the notice may be the record of before the notice. */
    @Test
    void theLeaseIsReadAgainWhenANoticeArrivesDuringARead() {
        becomeMemberOf(B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        long before = read();
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        assertThat(last).isEmpty();

        last = replica.leaseRead(before, Optional.of(record("v7", B, 1, A, B)), now);
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 2, A)), now);

        assertThat(write().content().holder()).isEqualTo(A);
    }

    @Test
    void theLeaseIsReadOnceMoreAfterANoticeAndNotForEver() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(record("v8", C, 2, A, C)), now);
        assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);

        now += TIMES.renewEvery();
        last = replica.tick(now);
        long before = read();
        last = replica.receive(from(C, new ReplicaMessage.HandoverNotice<>(3)), now);
        last = replica.leaseRead(before, Optional.of(record("v8", C, 2, A, C)), now);
        last = replica.leaseRead(read(), Optional.of(record("v9", B, 3, A, B)), now);
        assertThat(last).noneMatch(ReplicationOutput.ReadLease.class::isInstance);
    }

    /** Only the holder knows who has all decisions. */
    @Test
    void aNoticeOfAReplicaThatIsNotTheHolderMakesNobodyInSync() {
        follow(B, 1, 0, List.of(), NOT_IN_SYNC);
        last = replica.watched(now, CURRENT, now);
        last = replica.receive(from(C, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(record("v3", A, 2, A)), now);
        last = replica.leaseWritten(write().request(), "v4", now);

        assertThat(replica.isLeading()).isTrue();
        assertThat(replica.mayDecide(now)).isFalse();
    }

    @Test
    void whoeverLeavesPassesOnALeaseThatItHasJustBeenGiven() {
        becomeMemberOf(B);
        last = replica.leave(now);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 2, A, C)), now);

        assertThat(write().content().holder()).isEqualTo(C);
        assertThat(replica.hasLeft()).isFalse();
        last = replica.leaseWritten(write().request(), "v9", now);
        assertThat(replica.hasLeft()).isTrue();
        assertThat(sent(C)).contains(new ReplicaMessage.HandoverNotice<>(3));
    }

    /** Otherwise the lease would belong to a process that has ended. */
    @Test
    void whoeverIsAboutToTakeTheLeaseHasNotLeft() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(free(record("v8", B, 7, B))), now);
        assertThat(write().content().holder()).isEqualTo(A);

        last = replica.end(now);

        assertThat(replica.hasLeft()).isFalse();
    }

    /** An API server that does not answer at all. */
    @Test
    void aReadWithoutAnAnswerIsGivenUpAndTheHolderGetsTimeToRenewTheLease() {
        becomeMemberOf(B);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        long lost = read();
        now += TIMES.readTimeout();
        last = replica.tick(now);
        long next = read();
        assertThat(next).isNotEqualTo(lost);
        now += 2 * TIMES.leaseDuration();
        follow(B, 1, 0, List.of(), IN_SYNC);
        last = replica.leaseRead(lost, Optional.of(record("v8", A, 2, A)), now);
        assertThat(last).as("the late answer is of no use").isEmpty();
        last = replica.leaseRead(next, Optional.of(record("v7", B, 1, A, B)), now);
        assertThat(last).isEmpty();

        assertThat(hearWhileTheLeaseStays(now + TIMES.leaseDuration() - TIMES.heartbeat()))
                .isEmpty();
    }

    /** Others count from the moment at which the API server stored the renewal, which may be soon after that. */
    @Test
    void aRenewalCountsFromTheMomentAtWhichItWasSent() {
        lead(A);
        now += TIMES.renewEvery();
        last = replica.tick(now);
        long sentAt = now;
        now += TIMES.readTimeout();
        assertThat(write().content().renewal())
                .as("a write that changes nothing is no renewal")
                .isEqualTo(1);
        last = replica.leaseWritten(write().request(), "v3", now);

        assertThat(replica.validUntil()).isEqualTo(sentAt + TIMES.renewDeadline());
    }

    /** Somebody has restored an older record: availability-mode.md F11. */
    @Test
    void theHolderStepsDownWhenTheRecordIsOfAnotherOfItsTerms() {
        lead(A, B);
        restore(record("v9", A, 1, A, B));

        assertThat(replica.isLeading()).isFalse();
    }

    @Test
    void theHolderStepsDownWhenAnotherReplicaHasAcceptedAHolderOfTheSameTerm() {
        lead(A, B);
        last = replica.receive(from(B, new ReplicaMessage.TermRefusal<>(2)), now);

        assertThat(replica.isLeading()).isFalse();
        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
    }

    /** A takeover after it would not fit into the Lease. */
    @Test
    void aTermThatNoReplicaReachesIsNotBelieved() {
        lead(A, B);
        last = replica.receive(from(B, new ReplicaMessage.TermRefusal<>((1L << 30) + 1)), now);
        assertThat(replica.isLeading()).isTrue();
        follow(B, (1L << 30) + 1, 0, List.of(), IN_SYNC);

        assertThat(replica.isLeading()).isTrue();
        assertThat(sent(B)).containsExactly(new ReplicaMessage.TermRefusal<>(2));
    }

    /** Somebody has restored an older record. In its term the replica could never lead. */
    @Test
    void whoeverIsTheHolderByARecordOfAnEarlierTermTakesALaterOne() {
        becomeMemberOf(B);
        follow(C, 5, 0, List.of(), IN_SYNC);
        now++;
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 2, A, C)), now);
        assertThat(write().content().term()).isEqualTo(6);
        last = replica.leaseWritten(write().request(), "v9", now);

        assertThat(replica.isLeading()).isTrue();
    }

    /** Who is in its set is in the Lease only. */
    @Test
    void theLeaseIsReadWhenThereIsANewHolder() {
        becomeMemberOf(B);
        follow(C, 2, 0, List.of(), IN_SYNC);
        now++;
        last = replica.tick(now);

        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
    }

    /** It has received all decisions since. */
    @Test
    void whoHadToWaitDoesNotWaitOnceItIsAMember() {
        last = replica.watched(now, CURRENT, now);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.empty(), now);
        last = replica.leaseWritten(write().request(), "v2", now);
        assertThat(replica.waitsForFormerHolder()).isTrue();
        follow(C, 5, 0, List.of(), IN_SYNC);
        now++;
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v5", C, 5, A, C)), now);

        assertThat(replica.waitsForFormerHolder()).isFalse();
    }

    /** The holder of the later term may have decided already. */
    @Test
    void whoHearsOfALaterTermDuringItsTakeoverDoesNotLead() {
        becomeMemberOf(B);
        last = replica.receive(from(B, new ReplicaMessage.HandoverNotice<>(2)), now);
        last = replica.leaseRead(read(), Optional.of(record("v8", A, 2, A, C)), now);
        ReplicationOutput.WriteLease<String> takeover = write();
        follow(C, 3, 0, List.of(), IN_SYNC);
        last = replica.leaseWritten(takeover.request(), "v9", now);

        assertThat(replica.isLeading()).isFalse();
        assertThat(last).hasAtLeastOneElementOfType(ReplicationOutput.ReadLease.class);
    }

    /** Otherwise messages for a replica that reads slowly would pile up. */
    @Test
    void onlySomeMessagesAreUnderWayToAReplica() {
        lead(A, B);
        acknowledge(B, 0);
        for (int i = 1; i <= 2_500; i++) {
            replica.decided("s" + i, "u" + i, "");
        }
        last = replica.endTurn(now);
        assertThat(sent(B)).hasSize(8);
        assertThat(entriesSent(B)).isEqualTo(2_048);

        acknowledge(B, 256);
        assertThat(entriesSent(B)).isEqualTo(256);
        acknowledge(B, 2_304);
        assertThat(entriesSent(B)).isEqualTo(196);
    }

    private int entriesSent(Member to) {
        return sent(to).stream()
                .mapToInt(message ->
                        ((ReplicaMessage.EntryBatch<String>) message).entries().size())
                .sum();
    }

    /** Makes the replica the holder with these members: of the first lease, or of one that was handed over. */
    private void lead(Member... members) {
        last = replica.watched(now, CURRENT, now);
        if (members.length == 1) {
            last = replica.tick(now);
            last = replica.leaseRead(read(), Optional.empty(), now);
            replica.startedFirst();
        } else {
            follow(C, 1, 0, List.of(), IN_SYNC);
            last = replica.tick(now);
            last = replica.leaseRead(read(), Optional.of(record("v1", A, 2, members)), now);
        }
        last = replica.leaseWritten(write().request(), "v2", now);
        assertThat(replica.isLeading()).isTrue();
    }

    /** Makes the replica a member of the in-sync set in term 1. */
    private void becomeMemberOf(Member holder) {
        last = replica.watched(now, CURRENT, now);
        follow(holder, 1, 0, List.of(), IN_SYNC);
        last = replica.tick(now);
        last = replica.leaseRead(read(), Optional.of(record("v7", holder, 1, A, holder)), now);
    }

    private void follow(Member holder, long term, long upTo, List<ReplicatedEntry<String>> entries, boolean inSync) {
        last = replica.receive(from(holder, new ReplicaMessage.EntryBatch<>(term, -1, upTo, entries, inSync)), now);
    }

    /** Decides, and returns the answers that are released at once. */
    private List<String> decide(String stamp) {
        replica.decided(stamp, "u" + stamp, "");
        last = replica.endTurn(now);
        return released();
    }

    private void acknowledge(Member follower, long upTo) {
        last = replica.receive(
                from(follower, new ReplicaMessage.Acknowledgement<>(replica.term(), upTo, upTo, IN_SYNC, CURRENT)),
                now);
    }

    private void heartbeat() {
        now += TIMES.heartbeat();
        last = replica.tick(now);
    }

    /** Tells the replica that the time has passed without a pause of its own. */
    private void tickInSteps() {
        long end = now;
        List<ReplicationOutput<String>> all = new ArrayList<>();
        for (long step = end - 2 * TIMES.suspectAfter(); step <= end; step += TIMES.heartbeat()) {
            all.addAll(replica.tick(step));
        }
        all.addAll(replica.tick(end));
        last = all;
    }

    private static ReplicationEnvelope<String> from(Member member, ReplicaMessage<String> message) {
        return new ReplicationEnvelope<>(1, 1, CLUSTER, member, message);
    }

    private static ReplicationStoredRecord record(String version, Member holder, long term, Member... members) {
        return new ReplicationStoredRecord(
                version, new InSyncRecord(holder, term, new TreeSet<>(List.of(members)), 0), /* intact= */ true);
    }

    private List<String> released() {
        return last.stream()
                .filter(ReplicationOutput.ReleaseAnswer.class::isInstance)
                .map(output -> ((ReplicationOutput.ReleaseAnswer<String>) output).stamp())
                .toList();
    }

    private List<ReplicaMessage<String>> sent(Member to) {
        return last.stream()
                .filter(ReplicationOutput.Send.class::isInstance)
                .map(output -> (ReplicationOutput.Send<String>) output)
                .filter(send -> send.to().equals(to))
                .map(send -> send.envelope().message())
                .toList();
    }

    private List<Integer> versions(Member to) {
        return last.stream()
                .filter(ReplicationOutput.Send.class::isInstance)
                .map(output -> (ReplicationOutput.Send<String>) output)
                .filter(send -> send.to().equals(to))
                .map(send -> send.envelope().version())
                .toList();
    }

    private long read() {
        return last.stream()
                .filter(ReplicationOutput.ReadLease.class::isInstance)
                .map(output -> ((ReplicationOutput.ReadLease<String>) output).request())
                .findFirst()
                .orElseThrow();
    }

    private ReplicationOutput.WriteLease<String> write() {
        return writes().findFirst().orElseThrow();
    }

    private Stream<ReplicationOutput.WriteLease<String>> writes() {
        return last.stream()
                .filter(ReplicationOutput.WriteLease.class::isInstance)
                .map(output -> (ReplicationOutput.WriteLease<String>) output);
    }
}
