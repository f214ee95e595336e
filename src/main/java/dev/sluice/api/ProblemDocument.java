package dev.sluice.api;

/** A problem in the format of RFC 9457. The detail says what is wrong and what is expected. */
record ProblemDocument(String type, String title, int status, String detail) {}
