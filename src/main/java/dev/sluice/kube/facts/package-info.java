/**
 * Reads facts for the doctor from a live cluster or from files that kubectl wrote, within limits of size, memory and
 * time: Jackson reads each item of a list into the record of its kind, and the records are converted to the facts in
 * {@code doctor.facts}. It also contains the verticle that repeats the diagnosis in a gateway.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
