package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A pod about which a command asks whether the API server would send it to Sluice. It can stand for all pods that are
 * created from one template, for example those of a Deployment.
 *
 * @param subject the pod in words, for example {@code Pod train} or {@code the pods of Deployment web}
 * @param object the pod as the API server sends it to webhooks; a {@code MissingNode} if only the namespace is known
 * @param isOfTemplate true if a controller creates the pods from a template, and may add labels to them
 */
public record PodAskedAbout(String namespace, String subject, JsonNode object, boolean isOfTemplate) {}
