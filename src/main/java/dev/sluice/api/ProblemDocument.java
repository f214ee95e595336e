package dev.sluice.api;

/** A problem as RFC 9457 defines it; the detail says what is wrong and what is expected. */
record ProblemDocument(String type, String title, int status, String detail) {}
