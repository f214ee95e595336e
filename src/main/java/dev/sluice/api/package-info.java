/**
 * The documents and reports that Sluice publishes over HTTP and with {@code -o json}, and the queries for them: the
 * most recent decisions, capacity and its history, allocations, the fleet of nodes, flows, diagnoses, explanations with
 * the result of injection, pods that bypassed the gateway, the status of replicas, events of the stream and the OpenAPI
 * document. The contents of a cluster, from which reports are computed, belong here too. The HTTP server is in
 * {@code management}.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
