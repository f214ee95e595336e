/**
 * The reflectors of nodes, pods and LimitRanges. Each lists and watches one kind of object, from the API server or from
 * a snapshot file, reports the status of its watch, proves how fresh its state is, and publishes the changes on the
 * event bus.
 */
@NullMarked
package dev.sluice.kube.watch;

import org.jspecify.annotations.NullMarked;
