/** Existing pods as the ledger reads them, and how kube-scheduler sums up the requests of containers. */
@NullMarked
package dev.sluice.cluster.pod;

import org.jspecify.annotations.NullMarked;
