// The frame of the console: where one is, whether the page is up to date, and who is signed in.

import { Component, html, render, useEffect, useRef, useState } from './lib/preact.js';
import { session } from './api.js';
import { address, to } from './address.js';
import { DecisionsView } from './decisions.js';
import { FleetView } from './fleet.js';
import { connection, replica, retry, start } from './live.js';
import { useStore } from './store.js';
import { shown } from './text.js';

/** The views in the order of the navigation. Those that few people open are loaded when they are opened. */
const VIEWS = {
    fleet: { title: 'Fleet', view: FleetView },
    capacity: { title: 'Capacity', load: async () => (await import('./capacity.js')).CapacityView },
    flow: { title: 'Flow', load: async () => (await import('./flow.js')).FlowView },
    decisions: { title: 'Decisions', view: DecisionsView },
    'what-if': { title: 'What if', load: async () => (await import('./what-if.js')).WhatIfView },
    waiting: { title: 'Waiting', load: async () => (await import('./waiting.js')).WaitingView },
    health: { title: 'Health', load: async () => (await import('./health.js')).HealthView },
};

/** Shows a sentence instead of a view that has failed, so that the other views stay usable. */
class Guard extends Component {
    componentDidCatch(error) {
        this.setState({ failed: error });
    }

    render({ children }, { failed }) {
        return failed
            ? html`<div class="note bad" role="alert"><p>This view has failed: ${shown(failed.message, 300)}.</p><button type="button" onClick=${() => location.reload()}>Load the page again</button></div>`
            : children;
    }
}

function Loaded({ load }) {
    const [view, setView] = useState(null);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
        load().then((loaded) => setView(() => loaded), () => setMissing(true));
    }, [load]);
    if (isMissing) {
        return html`<div class="note bad" role="alert"><p>This view could not be loaded. The gateway may have been updated.</p><button type="button" onClick=${() => location.reload()}>Load the page again</button></div>`;
    }
    return view ? html`<${view} />` : html`<p class="empty" role="status">Loading …</p>`;
}

/** Says whether what is shown is up to date, and since when it is not. */
function Connection() {
    const { state, status, detail, again } = useStore(connection);
    const about = useStore(replica);
    const isForbidden = status === 403;
    const [, tick] = useState(0);
    useEffect(() => {
        if (!again) {
            return undefined;
        }
        const timer = setInterval(() => tick((count) => count + 1), 1_000);
        return () => clearInterval(timer);
    }, [again]);
    const seconds = Math.max(0, Math.ceil((again - Date.now()) / 1_000));
    const text = {
        live: 'Live',
        connecting: 'Connecting …',
        hidden: 'Paused',
        off: 'Not signed in',
        broken: isForbidden ? 'Not allowed' : 'Not up to date',
    }[state];
    return html`
        <div class="connection ${state}" role="status">
            <span class="dot" aria-hidden="true"></span>
            <span><b>${text}</b>${about?.replica && state === 'live' && html` <span class="of">${shown(about.replica, 63)}</span>`}</span>
        </div>
        ${state === 'broken' &&
        html`<div class="broken" role="alert">
            <span>${isForbidden ? `You may not follow this gateway: ${shown(detail, 300)}.` : `The connection is broken: ${shown(detail, 300)}. What you see is as it was then.`}</span>
            ${again > 0 && html`<span class="of" aria-hidden="true">Next attempt ${seconds > 0 ? `in ${seconds} s` : 'now'}</span>`}
            <button type="button" onClick=${retry}>Connect now</button>
        </div>`}
    `;
}

/** Asks for a bearer token. It is kept in the memory of this page alone. */
function SignIn() {
    const [token, setToken] = useState('');
    const [namespace, setNamespace] = useState(session.value.namespace);
    const first = useRef();
    useEffect(() => first.current?.focus(), []);
    const submit = (event) => {
        event.preventDefault();
        session.set({ token: token.trim(), namespace: namespace.trim(), needsToken: false });
    };
    return html`
        <form class="card sign-in" onSubmit=${submit} autocomplete="off">
            <h1>Sign in</h1>
            <p>This gateway shows its data to those whom the cluster lets read it. <code>kubectl gpu console</code> opens this page signed in with the token of your kubeconfig. Or paste a token, such as from <code>kubectl create token</code>.</p>
            <label>Bearer token
                <input type="password" name="token" required autocomplete="off" spellcheck="false" ref=${first} value=${token} onInput=${(event) => setToken(event.target.value)} />
            </label>
            <label>Namespace <span class="of">(only if you may not read about all of them)</span>
                <input name="namespace" autocomplete="off" spellcheck="false" value=${namespace} onInput=${(event) => setNamespace(event.target.value)} />
            </label>
            <button class="primary">Sign in</button>
            <p class="of">The token stays in the memory of this page, and is gone when you close or reload it.</p>
        </form>
    `;
}

function Account() {
    const { token, namespace } = useStore(session);
    return html`
        ${namespace && html`<span class="chip">Namespace <bdi>${shown(namespace, 63)}</bdi><button type="button" aria-label="Ask about all namespaces" onClick=${() => session.set({ ...session.value, namespace: '' })}>×</button></span>`}
        ${token && html`<button type="button" class="quiet" onClick=${() => session.set({ token: '', namespace: '', needsToken: true })}>Sign out</button>`}
    `;
}

function Console() {
    const { view: name } = useStore(address);
    const { needsToken } = useStore(session);
    const known = Object.hasOwn(VIEWS, name) ? name : 'fleet';
    const { title, view, load } = VIEWS[known];
    const heading = useRef();
    const isFirst = useRef(true);
    useEffect(() => {
        document.title = `${title} – Sluice console`;
        document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
        if (!isFirst.current) {
            heading.current?.focus({ preventScroll: true });
            scrollTo(0, 0);
        }
        isFirst.current = false;
    }, [title]);
    useEffect(() => {
        const search = (event) => {
            const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
            if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
                const field = document.querySelector('main input[type=search]');
                if (field) {
                    event.preventDefault();
                    field.focus();
                }
            }
        };
        addEventListener('keydown', search);
        return () => removeEventListener('keydown', search);
    }, []);
    const skip = (event) => {
        event.preventDefault();
        heading.current?.focus();
    };
    return html`
        <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
        <header class="top">
            <a class="brand" href="#/fleet"><${Mark} /> Sluice</a>
            <nav aria-label="Views">
                ${Object.entries(VIEWS).map(([key, each]) => html`<a key=${key} href=${to(key)} aria-current=${key === known ? 'page' : undefined}>${each.title}</a>`)}
            </nav>
            <div class="state"><${Account} /><${Connection} /></div>
        </header>
        <main id="main" class="view-${known}">
            ${needsToken
                ? html`<${SignIn} />`
                : html`
                      <h1 tabindex="-1" ref=${heading}>${title}</h1>
                      <${Guard} key=${known}>${view ? html`<${view} />` : html`<${Loaded} load=${load} />`}<//>
                  `}
        </main>
    `;
}

const Mark = () => html`
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path d="M9 8v16M16 8v5M16 19v5M23 8v16" />
    </svg>
`;

const root = document.getElementById('app');
root.textContent = '';
render(html`<${Console} />`, root);
start();
