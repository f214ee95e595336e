// What comes by the event stream of the gateway, kept up to date while the page is visible.

import { ask, open, Refusal, session, TOO_MANY } from './api.js';
import { Fleet } from './fleet-model.js';
import { Store } from './store.js';
import { newestFirst } from './text.js';

/** The gateway sends a comment every 15 s, so a connection that is silent for longer than this is broken. */
const SILENCE_MILLIS = 40_000;

const LONGEST_PAUSE_SECONDS = 15;

/** The time between two questions for decisions that another replica makes. */
const OTHERS_MILLIS = 2_000;

/** How much older than the newest known decision those are that are asked for again: clocks of replicas differ. */
const OVERLAP_MILLIS = 30_000;

/** Stands for a version of the fleet, so that the gateway sends the events about itself without any. */
const NO_VERSION = 'none';

/** The most decisions a second that the page is sent for long, because nobody can read more. Others are counted. */
const MOST_PER_SECOND = 20;

/** The time without a decision that was left out after which the page loads those that were. */
const QUIET_MILLIS = 3_000;

/** The most decisions that the page keeps, so that a page that stays open keeps its memory. */
const MOST_DECISIONS = 2_000;

/** The longest event, in characters. A decision about a hostile pod has some hundred thousand. */
const LONGEST_EVENT = 8_000_000;

/**
 * The state of the connection: "connecting", "live", "broken", "hidden" or "off" until somebody signs in. `again` is
 * the time of the next attempt, and `status` that of the answer that has refused the stream.
 */
export const connection = new Store({ state: 'connecting', detail: '', again: 0 });

/**
 * The fleet as `{ fleet, refusal, refusedLabel }`. The object is replaced with each change of the fleet in it. A label
 * that was refused is `{ label, refusal }`.
 */
export const fleet = new Store({ fleet: null, refusal: null, refusedLabel: null });

/** The newest decisions, the newest first. */
export const decisions = new Store([]);

/** How many decisions the gateway has made and not sent since the page has loaded the last ones. */
export const leftOut = new Store(0);

/** What the replica says about itself: `{ replica, decides, holder }`. */
export const replica = new Store(null);

let label = '';
/** The label with which the fleet was loaded. */
let loadedLabel = '';
/** The id of the last event that was taken over. */
let lastId = '';
let known = new Map();
/** Whether somebody may list decisions, as far as it is known. */
let mayList = true;
let running = null;
/** The timer after which the page loads the decisions that were left out. */
let quiet;

/**
 * Adds decisions, which have the newest one first if they were made at the same time. A decision that is there already
 * is not added again.
 */
export function keep(newer) {
    const added = newer.filter((decision) => !known.has(decision.id));
    if (added.length === 0) {
        return;
    }
    const sorted = [...added, ...decisions.value].sort((a, b) => newestFirst(a.time, b.time)).slice(0, MOST_DECISIONS);
    known = new Map(sorted.map((decision) => [decision.id, decision]));
    decisions.set(sorted);
}

const pause = (millis, signal) =>
    new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            resolve();
        };
        const timer = setTimeout(end, signal.aborted ? 0 : millis);
        signal.addEventListener('abort', end);
    });

/** Waits until the store is set. */
const change = (store, signal) =>
    new Promise((resolve) => {
        const end = () => {
            unsubscribe();
            signal.removeEventListener('abort', end);
            resolve();
        };
        const unsubscribe = store.subscribe(end);
        signal.addEventListener('abort', end);
    });

/** Asks, and asks again as long as the gateway says that there are too many questions. */
async function askPatiently(path, parameters, signal) {
    for (;;) {
        try {
            return await ask(path, parameters, signal);
        } catch (error) {
            if (error.status !== TOO_MANY) {
                throw error;
            }
            await pause((error.waitSeconds || 1) * 1_000, signal);
        }
    }
}

/** Loads the fleet. If the gateway refuses the label, it loads the fleet without it. */
async function loadFleet(signal) {
    const wanted = label;
    try {
        const answer = await askPatiently('fleet', { labels: wanted }, signal);
        loadedLabel = wanted;
        fleet.set({ fleet: new Fleet(answer), refusal: null, refusedLabel: wanted ? null : fleet.value.refusedLabel });
    } catch (error) {
        if (wanted && (error.status === 400 || error.status === 403)) {
            label = '';
            fleet.set({ ...fleet.value, refusedLabel: { label: wanted, refusal: error } });
            await loadFleet(signal);
            return;
        }
        if (error.status !== 403 && error.status !== 404) {
            throw error;
        }
        // Somebody without the right to the nodes may still see decisions.
        loadedLabel = wanted;
        fleet.set({ fleet: null, refusal: error, refusedLabel: null });
    }
}

/** Loads decisions that the gateway still has. Somebody without the right to list them may still have the stream. */
async function loadDecisions(parameters, signal) {
    if (!mayList) {
        return;
    }
    try {
        keep((await askPatiently('decisions', { limit: 1_000, ...parameters }, signal)).decisions);
    } catch (error) {
        if (error.status !== 403 && error.status !== 404) {
            throw error;
        }
        mayList = false;
    }
}

/** Loads the newest decisions, and with them those that were left out, as far as the gateway still has them. */
async function loadNewest(signal) {
    const before = leftOut.value;
    await loadDecisions({}, signal);
    if (mayList && before > 0) {
        leftOut.set(Math.max(0, leftOut.value - before));
    }
}

/** Loads the decisions that were left out once none is left out for a while: a burst costs one question then. */
function catchUp(signal) {
    clearTimeout(quiet);
    if (leftOut.value > 0) {
        quiet = setTimeout(() => loadNewest(signal).catch(() => signal.aborted || catchUp(signal)), QUIET_MILLIS);
    }
}

/** Yields the events of a stream as `{ id, event, data }`; an id without data is no event, but counts as the last id. */
async function* events(response, alive) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
        const { value, done } = await reader.read();
        if (done) {
            return;
        }
        alive();
        text += value;
        if (text.length > LONGEST_EVENT) {
            throw new Refusal(0, 'an event is too long');
        }
        const blocks = text.split('\n\n');
        text = blocks.pop();
        yield blocks.map(block);
    }
}

function block(text) {
    const fields = { id: '', event: '', data: '' };
    for (const line of text.split('\n')) {
        const colon = line.indexOf(':');
        if (colon > 0) {
            fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '');
        }
    }
    return fields;
}

/** Connects once. Returns true if it is to connect again at once, such as when a right is checked again. */
async function connect(signal, connected) {
    const { fleet: loaded, refusal } = fleet.value;
    if (label !== loadedLabel || (!loaded && !refusal)) {
        await loadFleet(signal);
    }
    const silence = new AbortController();
    const either = AbortSignal.any([signal, silence.signal]);
    let timer;
    const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(new Refusal(0, 'the gateway has been silent for too long')), SILENCE_MILLIS);
    };
    alive();
    try {
        const response = await open('events', {
            signal: either,
            parameters: { fleet: fleet.value.fleet?.version ?? NO_VERSION, labels: label, perSecond: MOST_PER_SECOND },
            headers: { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
        });
        if (!lastId) {
            // The stream begins now, so it lacks what was decided before.
            await loadNewest(either);
        }
        catchUp(signal);
        for await (const batch of events(response, alive)) {
            connected();
            if (await take(batch, either)) {
                return true;
            }
        }
        throw new Refusal(0, 'the gateway has ended the connection');
    } catch (error) {
        throw silence.signal.aborted ? silence.signal.reason : error;
    } finally {
        clearTimeout(timer);
        silence.abort();
    }
}

/**
 * Takes over the events that came together, so that the page is drawn once for all of them. What was taken over is kept
 * before anything is asked for that may fail, and the last id is that of an event that was taken over.
 */
async function take(batch, signal) {
    let made = [];
    let seen = '';
    let isChanged = false;
    let uncounted = 0;
    const flush = () => {
        keep(made.reverse());
        made = [];
        if (uncounted > 0) {
            leftOut.set(leftOut.value + uncounted);
            uncounted = 0;
            catchUp(signal);
        }
        if (isChanged) {
            fleet.set({ ...fleet.value });
            isChanged = false;
        }
        lastId = seen || lastId;
    };
    for (const { id, event, data } of batch) {
        const value = data ? JSON.parse(data) : {};
        switch (event) {
            case 'decision':
                made.push(value);
                break;
            case 'leftOut':
                uncounted += value.decisions;
                break;
            case 'reset':
                flush();
                await loadNewest(signal);
                break;
            case 'fleet': {
                const { fleet: shown } = fleet.value;
                if (shown && (value.reload || !shown.isFollowedBy(value))) {
                    const before = label;
                    flush();
                    await loadFleet(signal);
                    if (label !== before) {
                        // The label was refused, so the stream must be opened without it.
                        return true;
                    }
                } else if (shown) {
                    shown.apply(value);
                    isChanged = true;
                }
                break;
            }
            case 'replica':
                replica.set(value);
                break;
            case 'end':
                flush();
                return true;
            default:
        }
        seen = id || seen;
    }
    flush();
    return false;
}

async function stayConnected(signal) {
    let failures = 0;
    const connected = () => {
        failures = 0;
        if (connection.value.state !== 'live') {
            connection.set({ state: 'live', detail: '', again: 0 });
        }
    };
    while (!signal.aborted) {
        try {
            if (await connect(signal, connected)) {
                continue;
            }
        } catch (error) {
            if (signal.aborted) {
                return;
            }
            if (error.status === 401) {
                // Without a token to ask for, only the command that serves the page can help.
                connection.set({ state: session.value.needsToken ? 'off' : 'broken', detail: error.message, again: 0 });
                return;
            }
            failures += 1;
            const seconds = error.waitSeconds || Math.min(LONGEST_PAUSE_SECONDS, 2 ** (failures - 1));
            const detail = error instanceof Refusal ? error.message : 'the connection to the gateway is broken';
            connection.set({ state: 'broken', status: error.status, detail, again: Date.now() + seconds * 1_000 });
            await pause(seconds * 1_000, signal);
        }
    }
}

/**
 * Asks for decisions while this replica makes none: the stream of a replica has only its own ones. When another replica
 * begins to decide, it asks once more for the last ones of the former one.
 */
async function askForOthers(signal) {
    let before = replica.value?.decides;
    while (!signal.aborted) {
        const decides = replica.value?.decides;
        const hasChanged = before !== undefined && decides !== before;
        if (connection.value.state === 'live' && (decides === false || hasChanged)) {
            const [newest] = decisions.value;
            const since = newest ? new Date(Date.parse(newest.time) - OVERLAP_MILLIS).toISOString() : '15m';
            await loadDecisions({ since }, signal).then(() => (before = decides), () => {});
        }
        if (decides === false || (hasChanged && decides !== before)) {
            await pause(OTHERS_MILLIS, signal);
        } else if (replica.value?.decides === decides) {
            await change(replica, signal);
        }
    }
}

function restart() {
    running?.abort();
    running = null;
    clearTimeout(quiet);
    mayList = true;
    if (fleet.value.refusal) {
        fleet.set({ ...fleet.value, refusal: null });
    }
    if (document.hidden) {
        connection.set({ state: 'hidden', detail: '', again: 0 });
        return;
    }
    if (session.value.needsToken) {
        connection.set({ state: 'off', detail: '', again: 0 });
        return;
    }
    running = new AbortController();
    connection.set({ state: 'connecting', detail: '', again: 0 });
    stayConnected(running.signal);
    askForOthers(running.signal);
}

/** Connects, and keeps connected while the page is visible. A hidden page has no stream and asks nothing. */
export function start() {
    document.addEventListener('visibilitychange', restart);
    addEventListener('pagehide', () => running?.abort());
    let { token, namespace } = session.value;
    session.subscribe(() => {
        const now = session.value;
        if (now.token === token && now.namespace === namespace) {
            return;
        }
        ({ token, namespace } = now);
        lastId = '';
        known = new Map();
        decisions.set([]);
        leftOut.set(0);
        fleet.set({ fleet: null, refusal: null, refusedLabel: null });
        replica.set(null);
        restart();
    });
    restart();
}

/** Loads at once what was left out. */
export const loadLeftOut = () => running && loadNewest(running.signal).catch(() => {});

/** Tries to connect at once. */
export const retry = restart;

/** Asks for the values of this label of the nodes, too. */
export function withLabel(key) {
    if (key !== label) {
        label = key;
        restart();
    }
}
