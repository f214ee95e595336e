// Questions to the API of the gateway. Its rights decide what a person sees: the page has no other way to data.

import { useCallback, useEffect, useState } from './lib/preact.js';
import { Store, useStore } from './store.js';

// The page is below /console/, so this is right behind a proxy that serves the gateway below a path, too.
const API = new URL('../api/v1/', document.baseURI);

/**
 * Who asks. The token is in the memory of this page alone, so a reload asks for it again. With a namespace, only what
 * concerns this namespace is asked for.
 */
export const session = new Store({ token: '', namespace: '', needsToken: false });

/** A question that was not answered, with the sentence of the gateway. */
export class Refusal extends Error {
    constructor(status, detail, { waitSeconds = 0, isForNamespaces = false } = {}) {
        super(detail);
        this.status = status;
        this.waitSeconds = waitSeconds;
        /** Whether somebody who may not read about all namespaces may ask the same about one. */
        this.isForNamespaces = isForNamespaces;
    }
}

/** The status of an answer that asks to come again in a moment, which the page does without a word. */
export const TOO_MANY = 429;

/** The statuses of refusals that stay the same until somebody signs in, or asks for something else. */
const LASTING = new Set([400, 401, 403, 404]);

const NOT_FOR_NAMESPACES = /^(status|replicas|bypassed|fleet\/)/;

function target(path, parameters) {
    const url = new URL(path, API);
    const { namespace } = session.value;
    // A filter without a value must not replace the namespace of the session.
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
    const all = { ...(namespace && !NOT_FOR_NAMESPACES.test(path) ? { namespace } : {}), ...Object.fromEntries(given) };
    for (const [name, value] of Object.entries(all)) {
        url.searchParams.set(name, value);
    }
    return url;
}

async function refusal(response, path) {
    const waitSeconds = Number(response.headers.get('Retry-After')) || 0;
    let detail = `the gateway has answered with status ${response.status}`;
    try {
        detail = String((await response.json()).detail ?? detail);
    } catch {
        // The answer is no problem document, so its status has to do.
    }
    return new Refusal(response.status, detail, { waitSeconds, isForNamespaces: !NOT_FOR_NAMESPACES.test(path) });
}

/** Sends a request and returns the response if the gateway has answered it. */
export async function open(path, { parameters = {}, headers = {}, ...request } = {}) {
    const { token } = session.value;
    let response;
    try {
        response = await fetch(target(path, parameters), {
            cache: 'no-store',
            redirect: 'error',
            referrerPolicy: 'no-referrer',
            headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
            ...request,
        });
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new Refusal(0, 'the gateway cannot be reached');
    }
    if (response.ok || response.status === 304) {
        return response;
    }
    if (response.status === 401) {
        if (!response.headers.has('WWW-Authenticate')) {
            throw new Refusal(401, 'this page is no longer connected to its gateway; run kubectl gpu console again');
        }
        // A late answer to a question with an older token says nothing about the token of now.
        if (session.value.token === token) {
            session.set({ ...session.value, token: '', needsToken: true });
        }
    }
    throw await refusal(response, path);
}

export async function ask(path, parameters = {}, signal = undefined) {
    const response = await open(path, { parameters, signal, headers: { Accept: 'application/json' } });
    return response.json();
}

/** Asks what would become of the pods of a manifest. */
export async function explain(manifest, namespace) {
    const response = await open('explain', {
        parameters: { text: 'true', namespace: namespace || session.value.namespace },
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(manifest),
    });
    return response.json();
}

/**
 * Asks once, and then again after each period while the page is visible. It keeps the last answer when a later question
 * is refused. It does not repeat a question that would be refused again.
 */
export function useAnswer(path, parameters = {}, everySeconds = 0) {
    const { token, namespace } = useStore(session);
    const key = JSON.stringify([path, parameters, token, namespace]);
    const [state, setState] = useState({ key: '', answer: null, refusal: null });
    const [turn, setTurn] = useState(0);
    useEffect(() => {
        if (!path) {
            return undefined;
        }
        const abort = new AbortController();
        let timer;
        let running = false;
        let answered = false;
        let lasts = false;
        const next = async () => {
            if (document.hidden || running || lasts) {
                return;
            }
            running = true;
            let wait = everySeconds;
            try {
                const answer = await ask(path, parameters, abort.signal);
                setState({ key, answer, refusal: null });
                answered = true;
            } catch (error) {
                if (abort.signal.aborted) {
                    return;
                }
                const refused = error instanceof Refusal ? error : new Refusal(0, 'the answer cannot be read');
                lasts = LASTING.has(refused.status);
                wait = lasts ? 0 : refused.waitSeconds || (refused.status === 0 ? 5 : everySeconds);
                if (refused.status !== TOO_MANY) {
                    setState((last) => ({ key, answer: last.key === key ? last.answer : null, refusal: refused }));
                }
            } finally {
                running = false;
            }
            clearTimeout(timer);
            timer = wait > 0 ? setTimeout(next, wait * 1000) : undefined;
        };
        const shown = () => {
            clearTimeout(timer);
            if (everySeconds > 0 || !answered) {
                next();
            }
        };
        next();
        document.addEventListener('visibilitychange', shown);
        return () => {
            abort.abort();
            clearTimeout(timer);
            document.removeEventListener('visibilitychange', shown);
        };
    }, [key, everySeconds, turn]);
    const again = useCallback(() => setTurn((number) => number + 1), []);
    const isCurrent = state.key === key;
    return { answer: isCurrent ? state.answer : null, refusal: isCurrent ? state.refusal : null, again };
}
