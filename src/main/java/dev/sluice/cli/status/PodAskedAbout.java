package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A pod for which a command finds out whether the API server sends it to Sluice. The pod can stand for all pods of one
 * template, for example of a Deployment.
 *
 * @param subject the pod in words, for example {@code Pod train} or {@code the pods of Deployment web}
 * @param object the pod as the API server sends it to webhooks; a {@code MissingNode} if only the namespace is known
 * @param isOfTemplate true if a controller creates the pods from a template, and may add labels to them
 */
public record PodAskedAbout(String namespace, String subject, JsonNode object, boolean isOfTemplate) {}
