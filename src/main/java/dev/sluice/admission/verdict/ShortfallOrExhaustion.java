package dev.sluice.admission.verdict;

/** The reason why a pod does not get a resource now: no node offers it, or it is in use. */
public sealed interface ShortfallOrExhaustion permits Shortfall, Exhaustion {}
