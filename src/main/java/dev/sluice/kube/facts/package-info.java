/**
 * Reads the facts for the command {@code doctor} from a live cluster or from files that kubectl wrote. Jackson reads
 * each object of a list into the record of its kind, and the records are converted to the facts in
 * {@code doctor.facts}. The package also contains a verticle that diagnoses the cluster of a running gateway.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
