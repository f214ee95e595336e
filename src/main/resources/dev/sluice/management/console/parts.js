// The parts that the views share.

import { html, useEffect, useRef, useState } from './lib/preact.js';
import { session } from './api.js';
import { brief, clock, count, number, shown, shownLines, wholeTime, words } from './text.js';

/** A name that others have chosen. It is text of its own direction, and everything hidden in it is visible. */
export const Name = ({ of, most }) => html`<bdi class="name" title=${shown(of)}>${shown(of, most)}</bdi>`;

/** A resource, without the domain of its vendor if the place is small. */
export const Resource = ({ of, short }) =>
    html`<code class="resource" title=${shown(of)}>${short ? brief(of) : shown(of, 120)}</code>`;

export const Time = ({ at }) => html`<time dateTime=${at} title=${wholeTime(at)}>${clock(at)}</time>`;

export const Lines = ({ of }) => html`<p class="lines">${shownLines(of)}</p>`;

const TONES = {
    changed: 'blue',
    unchanged: 'green',
    kept: 'amber',
    untouched: 'grey',
    denied: 'red',
    noGpu: 'grey',
    passed: 'grey',
};

export const Badge = ({ tone, children }) => html`<span class="badge ${tone ?? 'grey'}">${children}</span>`;

/** The verdict of a decision. */
export const Verdict = ({ of, observed }) => html`
    <${Badge} tone=${TONES[of]}>${words(of)}<//>
    ${observed && html` <${Badge}>only observed<//>`}
`;

/** What the verdicts and the outcomes of candidates mean, for people who see the words for the first time. */
export const MEANING = {
    changed: 'The pod was given other resources than it asked for.',
    unchanged: 'The pod gets what it asked for.',
    kept: 'The pod stays as written, and a warning says what is missing.',
    untouched: 'The pod was left alone, because it could not be judged.',
    denied: 'The pod was refused.',
    noGpu: 'The pod asks for no GPU.',
    passed: 'The review is not about the creation of a pod, or it is about the mirror of a static pod.',
    chosen: 'The pod is given this.',
    notOffered: 'No node that the pod may use has enough of it.',
    notTogether: 'No node has it together with what else the pod needs.',
    limited: 'A LimitRange of the namespace would refuse the pod with it.',
    uncertain: 'It is not known whether DRA has enough of it.',
    exhausted: 'No node that would take the pod now has enough of it free.',
    awaited: 'The pod is given this and waits, because nothing is free.',
    refused: 'The rules of injection refuse the pod with it.',
    notNeeded: 'Something before it was chosen.',
    notTried: 'It is offered, but the pod was decided about for another reason.',
};

/** The way from what was asked for to what is given. */
export const Exchange = ({ from, to, short }) => html`
    <span class="exchange">
        <${Resource} of=${from} short=${short} />
        <span class="arrow" aria-hidden="true">→</span><span class="sr">becomes</span>
        <${Resource} of=${to} short=${short} />
    </span>
`;

/** Describes amounts in words, for people who do not see the bar. */
export function described({ resource, allocatable, allocated, reserved, available, withdrawn, dra }) {
    const use =
        available === null
            ? 'what is used is not known'
            : `${number(allocated)} used, ${number(reserved)} reserved, ${number(available)} free`;
    return `${shown(resource, 120)}: ${use}, of ${number(allocatable)}${withdrawn > 0 ? `, ${number(withdrawn)} withdrawn` : ''}${dra ? ', by DRA' : ''}`;
}

/** The most devices of a bar that are drawn one by one. More of them would be narrower than the gaps between them. */
const MOST_SEGMENTS = 64;

/**
 * A bar with one segment for each device.
 *
 * `share` is the part of the whole width that the bar takes, so that bars beside each other are drawn to one scale.
 */
export function Bar({ amount, share = 1 }) {
    const { capacity, allocatable, allocated, reserved, available, withdrawn } = amount;
    const whole = Math.max(capacity, allocatable, (allocated ?? 0) + (reserved ?? 0), 1);
    const parts =
        available === null
            ? [['unknown', allocatable]]
            : [
                  ['used', allocated],
                  ['reserved', reserved],
                  ['free', available],
              ];
    return html`
        <span class="bar ${amount.dra ? 'dra' : ''}" role="img" aria-label=${described(amount)} style=${{ width: `${100 * share}%` }}>
            ${[...parts, ['withdrawn', withdrawn]]
                .filter(([, size]) => size > 0)
                .map(
                    ([state, size]) => html`<span
                        class="${state} ${whole > MOST_SEGMENTS ? 'smooth' : ''}"
                        style=${{ width: `${(100 * size) / whole}%`, '--n': size }}
                    ></span>`,
                )}
        </span>
    `;
}

export const Legend = () => html`
    <ul class="legend" aria-label="Legend">
        ${[
            ['used', 'Used'],
            ['reserved', 'Reserved'],
            ['free', 'Free'],
            ['withdrawn', 'Withdrawn'],
            ['used dra', 'Used, by DRA'],
        ].map(([state, text]) => html`<li><span class="swatch ${state}"></span>${text}</li>`)}
    </ul>
`;

/** A part of a page with a heading. */
export const Card = ({ title, aside, children, kind = '' }) => html`
    <section class="card ${kind}" aria-label=${title}>
        ${title && html`<header><h2>${title}</h2>${aside}</header>`}
        ${children}
    </section>
`;

/** A sentence instead of what a view has not got. */
export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

export const Waiting = () => html`<p class="empty" role="status">Asking the gateway …</p>`;

/** A figure with what it counts. */
export const Figure = ({ value, of, tone, href }) => {
    const inner = html`<strong>${value}</strong><span>${of}</span>`;
    return href
        ? html`<a class="figure ${tone ?? ''}" href=${href}>${inner}</a>`
        : html`<div class="figure ${tone ?? ''}">${inner}</div>`;
};

/** Why the gateway does not answer. Who may not read everything can name a namespace. */
export function Refused({ refusal, again }) {
    return html`
        <div class="note ${refusal.status === 403 || refusal.status === 404 ? '' : 'bad'}" role="alert">
            <p class="clause">${shown(refusal.message, 1_000)}.</p>
            ${refusal.status === 403 && refusal.isForNamespaces && !session.value.namespace && html`<${NamespaceForm} />`}
            ${again && html`<button type="button" onClick=${again}>Ask again</button>`}
        </div>
    `;
}

/** Why what is used is not known, and what helps. */
export const PodsUnknown = () => html`
    <div class="note"><p>The gateway does not know the pods, so it is not known what of the GPUs is used. If this lasts longer than a few seconds after its start, its account may not list pods: the component <code>k8s/components/capacity</code> grants it, and <code>rights.listPods=true</code> in the chart.</p></div>
`;

/** Asks for the namespace in which somebody may create pods, which is enough to see what concerns it. */
function NamespaceForm() {
    const [namespace, setNamespace] = useState('');
    const submit = (event) => {
        event.preventDefault();
        session.set({ ...session.value, namespace: namespace.trim() });
    };
    return html`
        <form class="inline" onSubmit=${submit}>
            <label>A namespace in which you may create pods
                <input name="namespace" required value=${namespace} onInput=${(event) => setNamespace(event.target.value)} />
            </label>
            <button>Show what concerns it</button>
        </form>
    `;
}

/** Shows the answer to a question: the refusal, a sentence while it is asked, or what `children` makes of it. */
export function Answer({ of: { answer, refusal, again }, children }) {
    return html`
        <div class="answer">
            ${refusal && html`<${Refused} refusal=${refusal} again=${again} />`}
            ${answer ? children(answer) : !refusal && html`<${Waiting} />`}
        </div>
    `;
}

export function Search({ value, onInput, label, placeholder }) {
    return html`<input
        type="search"
        class="search"
        aria-label=${label}
        placeholder=${placeholder ?? label}
        value=${value}
        onInput=${(event) => onInput(event.target.value)}
    />`;
}

export function Choice({ label, value, options, onChange }) {
    return html`
        <label class="choice"
            ><span>${label}</span>
            <select value=${value} onChange=${(event) => onChange(event.target.value)}>
                ${options.map(
                    ([option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${shown(text, 80)}</option>`,
                )}
            </select>
        </label>
    `;
}

/** A button that copies a text, and says so. */
export function Copy({ text, label }) {
    const [outcome, setOutcome] = useState('');
    const timer = useRef();
    useEffect(() => () => clearTimeout(timer.current), []);
    const copy = async () => {
        let next = 'Copied';
        try {
            await navigator.clipboard.writeText(text());
        } catch {
            // A page that came by plain HTTP from another machine has no clipboard, and people can forbid it.
            next = 'Cannot copy here';
        }
        setOutcome(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setOutcome(''), 2_000);
    };
    return html`<button type="button" class="quiet" onClick=${copy}><span aria-live="polite">${outcome || label}</span></button>`;
}

/** A table. A column is `[title, cell, kind]`; cells of the kind "number" are right-aligned. */
export function Table({ label, columns, rows, keyOf, rowClass = () => '', kind = '' }) {
    return html`
        <div class="table ${kind}" role="group" aria-label=${label} tabindex="0">
            <table>
                <thead>
                    <tr>
                        ${columns.map(([title, , kind]) => html`<th scope="col" class=${kind ?? ''}>${title}</th>`)}
                    </tr>
                </thead>
                <tbody>
                    ${rows.map(
                        (row, at) => html`<tr key=${keyOf ? keyOf(row) : at} class=${rowClass(row)}>
                            ${columns.map(([title, cell, kind]) => html`<td class=${kind ?? ''} data-title=${title}>${cell(row)}</td>`)}
                        </tr>`,
                    )}
                </tbody>
            </table>
        </div>
    `;
}

/** Pairs of a word and what it is about. Pairs without a value are left out. */
export const Facts = ({ of }) => html`
    <dl class="facts">
        ${of
            .filter(([, value]) => value !== undefined && value !== null && value !== '')
            .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}
    </dl>
`;

export const nodeCount = (nodes) => count(nodes, 'node');
