// What comes by the event stream of the gateway, kept up to date while the page is visible.

import { open, ask, Refusal, session } from './api.js';
import { Fleet } from './fleet-model.js';
import { Store } from './store.js';

/** The gateway sends a comment every 15 s, so a connection that is silent for longer than this is broken. */
const SILENCE_MILLIS = 40_000;

const LONGEST_PAUSE_SECONDS = 15;

/** The time between two questions for decisions that another replica makes. */
const OTHERS_MILLIS = 2_000;

/** The most decisions that the page keeps, so that a page that stays open keeps its memory. */
const MOST_DECISIONS = 2_000;

/** The longest event, in characters. A decision about a hostile pod has some hundred thousand. */
const LONGEST_EVENT = 8_000_000;

/**
 * The state of the connection: "connecting", "live", "broken", "hidden" or "off" until somebody signs in. `again` is
 * the time of the next attempt.
 */
export const connection = new Store({ state: 'connecting', detail: '', again: 0 });

/** The fleet as `{ fleet, refusal }`. The object is replaced with each change of the fleet in it. */
export const fleet = new Store({ fleet: null, refusal: null });

/** The newest decisions, the newest first. */
export const decisions = new Store([]);

/** What the replica says about itself: `{ replica, decides, holder }`. */
export const replica = new Store(null);

let label = '';
let lastId = '';
let known = new Map();
let running = null;

/** Adds decisions. A decision that is there already is not added again. */
export function keep(newer) {
    const added = newer.filter((decision) => !known.has(decision.id));
    if (added.length === 0) {
        return;
    }
    const sorted = [...decisions.value, ...added]
        .sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
        .slice(0, MOST_DECISIONS);
    known = new Map(sorted.map((decision) => [decision.id, decision]));
    decisions.set(sorted);
}

async function loadFleet(signal) {
    try {
        const answer = await ask('fleet', { labels: label }, signal);
        fleet.set({ fleet: new Fleet(answer), refusal: null });
    } catch (error) {
        if (error.status !== 403 && error.status !== 404) {
            throw error;
        }
        // Somebody without the right to the nodes may still see decisions.
        fleet.set({ fleet: null, refusal: error });
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

/** Connects once. Returns true if the gateway has ended the stream to check the right again. */
async function connect(signal, connected) {
    await loadFleet(signal);
    const version = fleet.value.fleet?.version;
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
            parameters: version ? { fleet: version, labels: label } : {},
            headers: { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
        });
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

/** Takes over the events that came together, so that the page is drawn once for all of them. */
async function take(batch, signal) {
    const made = [];
    let isChanged = false;
    for (const { id, event, data } of batch) {
        lastId = id || lastId;
        const value = data ? JSON.parse(data) : {};
        switch (event) {
            case 'decision':
                made.push(value);
                break;
            case 'reset':
                await loadDecisions({}, signal);
                break;
            case 'fleet':
                if (value.reload) {
                    await loadFleet(signal);
                } else if (fleet.value.fleet) {
                    fleet.value.fleet.apply(value);
                    isChanged = true;
                }
                break;
            case 'replica':
                replica.set(value);
                break;
            case 'end':
                return true;
            default:
        }
    }
    keep(made);
    if (isChanged) {
        fleet.set({ ...fleet.value });
    }
    return false;
}

const pause = (millis, signal) =>
    new Promise((resolve) => {
        const timer = setTimeout(resolve, millis);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
        });
    });

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
                connection.set({ state: 'off', detail: error.message, again: 0 });
                return;
            }
            failures += 1;
            const seconds = error.waitSeconds || Math.min(LONGEST_PAUSE_SECONDS, 2 ** (failures - 1));
            const detail = error instanceof Refusal ? error.message : 'the connection to the gateway is broken';
            connection.set({ state: 'broken', detail, again: Date.now() + seconds * 1_000 });
            await pause(seconds * 1_000, signal);
        }
    }
}

/** Asks for decisions while this replica makes none: the stream of a replica has only its own ones. */
async function askForOthers(signal) {
    while (!signal.aborted) {
        await pause(OTHERS_MILLIS, signal);
        if (!signal.aborted && connection.value.state === 'live' && replica.value?.decides === false) {
            await loadDecisions({ since: '15m', limit: 200 }, signal).catch(() => {});
        }
    }
}

/** Loads decisions that the gateway still has. Returns the answer without the decisions. */
export async function loadDecisions(parameters, signal) {
    const { decisions: loaded, ...rest } = await ask('decisions', { limit: 1_000, ...parameters }, signal);
    keep(loaded);
    return rest;
}

function restart() {
    running?.abort();
    running = null;
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
        fleet.set({ fleet: null, refusal: null });
        restart();
    });
    restart();
}

/** Tries to connect at once. */
export const retry = restart;

/** Asks for the values of this label of the nodes, too. */
export function withLabel(key) {
    if (key !== label) {
        label = key;
        restart();
    }
}
