/**
 * Measures what reviews cost, how decisions and snapshots grow with the cluster, and what the packaged gateway takes.
 *
 * <p>{@code mvn -q -f src/bench test-compile exec:exec@bench} runs every JMH benchmark, {@code -Dbench.args=Review}
 * those of that name. After {@code mvn -q -DskipTests package}, {@code exec:exec@footprint} starts
 * {@code target/sluice/bin/sluice} with a snapshot file of 5,000 nodes and reports time and memory, and
 * {@code exec:exec@admission-load} creates pods at a real API server, with and without the gateway.
 * {@code exec:exec@recorded-watch} lists and watches a recorded cluster of any size, and compares the ledger with it.
 * {@code exec:exec@peer-wire} has reviews answered by another replica. {@code src/docs/performance.md} holds the
 * results. Everything is generated from fixed seeds, so that two runs measure the same work.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.bench;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
