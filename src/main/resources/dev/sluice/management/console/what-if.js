// What the gateway would do with a pod now, without creating it.

import { html, useEffect, useRef, useState } from './lib/preact.js';
import { explain, Refusal, useAnswer } from './api.js';
import { address } from './address.js';
import { shownJson } from './decisions.js';
import { sums } from './fleet-model.js';
import { fleet as current } from './live.js';
import { Badge, Empty, Lines, MEANING, Name, nodeCount, Refused, Resource, Table, Verdict } from './parts.js';
import { useStore } from './store.js';
import { count, number, shown, shownLines, words } from './text.js';

/** The longest manifest that the gateway reads, in bytes. */
const MOST_BYTES = 256 * 1024;

/** The most values in a manifest. Aliases in YAML could otherwise stand for more than fits into memory. */
const MOST_VALUES = 100_000;

const EXAMPLE = `apiVersion: v1
kind: Pod
metadata:
  name: try-it
  namespace: default
spec:
  containers:
  - name: main
    image: cuda
    resources:
      limits:
        nvidia.com/mig-1g.10gb: 1
`;

/** Reads JSON, or YAML with one or more documents. */
async function parsed(text) {
    if (new Blob([text]).size > MOST_BYTES) {
        throw new Error('the manifest is longer than 256 KiB');
    }
    if (/^\s*[{[]/.test(text)) {
        return JSON.parse(text);
    }
    const { loadAll, JSON_SCHEMA } = await import('./lib/yaml.js');
    const documents = loadAll(text, null, { schema: JSON_SCHEMA }).filter(Boolean);
    let values = 0;
    JSON.stringify(documents, (_, value) => {
        values += 1;
        if (values > MOST_VALUES) {
            throw new Error('the manifest has too many values');
        }
        return value;
    });
    return documents.length === 1 ? documents[0] : { apiVersion: 'v1', kind: 'List', items: documents };
}

/** Returns a pod with what the record of a decision keeps of the one that was decided about. */
function recorded({ namespace, name, containers }) {
    const asking = (kinds) =>
        containers.filter(({ kind }) => kinds.includes(kind)).map(({ name, kind, asked }) => ({ name, ...(kind === 'sidecar' ? { restartPolicy: 'Always' } : {}), resources: { limits: asked } }));
    return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace, ...(name.endsWith('*') ? { generateName: name.slice(0, -1) } : { name }) },
        spec: { initContainers: asking(['init', 'sidecar']), containers: asking(['main']) },
    };
}

export function WhatIfView() {
    const uid = useStore(address).filters.get('decision') ?? '';
    const record = useAnswer(uid ? 'decisions' : '', { uid, limit: 1 });
    const decision = record.answer?.decisions[0];
    const [text, setText] = useState('');
    const [namespace, setNamespace] = useState('');
    const [result, setResult] = useState(null);
    const [isBusy, setBusy] = useState(false);
    const [isOver, setOver] = useState(false);
    const turn = useRef(0);

    const run = async (manifest) => {
        const own = ++turn.current;
        setBusy(true);
        let next;
        try {
            next = { answer: await explain(await parsed(manifest), namespace.trim()) };
        } catch (error) {
            next = { refusal: error instanceof Refusal ? error : new Refusal(400, `the manifest cannot be read: ${String(error.message).split('\n')[0]}`) };
        }
        if (own === turn.current) {
            setResult(next);
            setBusy(false);
        }
    };
    useEffect(() => {
        if (decision) {
            const manifest = shownJson(recorded(decision));
            setText(manifest);
            run(manifest);
        }
    }, [decision]);
    const drop = async (event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        const dropped = file ? (file.size <= MOST_BYTES ? await file.text() : '') : event.dataTransfer.getData('text/plain');
        if (file && !dropped) {
            setResult({ refusal: new Refusal(400, 'the file is empty, or longer than 256 KiB') });
        } else if (dropped) {
            setText(dropped);
            run(dropped);
        }
    };
    const keys = (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            run(text);
        }
    };
    return html`
        <p class="sentence">Paste or drop a Pod, a Deployment, a Job or a custom resource with a pod template, as YAML or JSON. Nothing is created, and nothing is reserved.</p>
        ${decision && html`<div class="note"><p>This is what the record keeps of the pod <${Name} of=${`${decision.namespace}/${decision.name}`} />: its first containers with GPUs. It lacks everything else that decides, such as labels, node selectors and tolerations: add them and ask again, or paste the manifest.</p></div>`}
        ${uid && record.answer && !decision && html`<div class="note"><p>No replica remembers the decision. Paste the manifest of the pod.</p></div>`}
        ${record.refusal && html`<${Refused} refusal=${record.refusal} again=${record.again} />`}
        <div class="what-if">
            <form class="card ${isOver ? 'over' : ''}" onSubmit=${(event) => { event.preventDefault(); run(text); }} onDrop=${drop} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}>
                <textarea aria-label="Manifest" spellcheck="false" placeholder="Paste or drop a manifest here" value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${keys}></textarea>
                <div class="inline">
                    <label>Namespace <input placeholder="as in the manifest" value=${namespace} onInput=${(event) => setNamespace(event.target.value)} /></label>
                    <button class="primary" disabled=${isBusy || !text.trim()}>${isBusy ? 'Asking …' : 'What would happen?'}</button>
                    <button type="button" class="quiet" onClick=${() => setText(EXAMPLE)}>Example</button>
                </div>
            </form>
            <div class="results" aria-live="polite">
                ${!result && html`<${Empty}>The answer appears here: what the pod would be given, and why.<//>`}
                ${result?.refusal && html`<${Refused} refusal=${result.refusal} />`}
                ${result?.answer && result.answer.pods.length === 0 && html`<${Empty}>There is no pod in this manifest.<//>`}
                ${result?.answer?.pods.map((pod, at) => html`<${Explained} key=${at} pod=${pod} />`)}
                ${(result?.answer?.notes ?? []).map((note) => html`<${Lines} of=${note} />`)}
                ${result?.answer?.text && html`<details class="card"><summary>As text</summary><pre>${shownLines(result.answer.text)}</pre></details>`}
            </div>
        </div>
    `;
}

function Explained({ pod }) {
    const said = [pod.message, ...(pod.warnings ?? []), ...(pod.invalid ?? []), ...(pod.misspelt ?? []), pod.notAsked].filter(Boolean);
    return html`
        <section class="card explained" aria-label=${shown(pod.name || pod.kind, 80)}>
            <header>
                <h2>${shown(pod.kind, 63)} <${Name} of=${`${pod.namespace}/${pod.name || ''}`} /></h2>
                <span>${pod.copies > 1 && html`<span class="of">${count(pod.copies, 'pod')}</span>`}</span>
            </header>
            <p><${Verdict} of=${pod.decision} observed=${pod.enforcement === 'observe'} /> ${pod.reason && words(pod.reason)}</p>
            ${said.length > 0 ? said.map((sentence) => html`<${Lines} of=${sentence} />`) : html`<p>${MEANING[pod.decision] ?? ''}</p>`}
            ${pod.annotation && html`<p>Becomes: <code>${shown(pod.annotation, 500)}</code></p>`}
            <${Busy} asked=${pod.asked ?? []} />
            ${(pod.asked ?? []).map((ask) => html`<${Asked} of=${ask} />`)}
            ${(pod.knownFaults ?? []).map((fault) => html`<div class="note"><p><${Resource} of=${fault.resource} />: ${shown(fault.text, 2_000)}.</p></div>`)}
            ${pod.patch?.length > 0 && html`<details><summary>Patch</summary><pre>${shownJson(pod.patch)}</pre></details>`}
        </section>
    `;
}

/** Says that a pod would wait for what it is given, where the gateway decides without looking at what is free. */
function Busy({ asked }) {
    const { fleet } = useStore(current);
    const free = new Map(fleet?.podsKnown ? sums(fleet.nodes(), true).map((sum) => [sum.resource, sum.largestFree]) : []);
    return asked
        .flatMap(({ candidates }) => candidates)
        .filter(({ fate, resource, need, nodes }) => fate === 'chosen' && nodes.every(({ available }) => available === undefined) && free.get(resource) < need)
        .map(({ resource, need }) => html`<div class="note"><p>This gateway decides by what nodes offer, not by what is free (mode allocatable). No node has ${number(need)} <${Resource} of=${resource} /> free now, so the pod would wait.</p></div>`);
}

const ANSWERS = {
    fits: ['fits', 'green'],
    inUse: ['in use', 'amber'],
    preemptible: ['could preempt', 'blue'],
    tooSmall: ['too small', 'grey'],
    mayFit: ['may fit', 'blue'],
    tooFew: ['too few', 'grey'],
    refused: ['may not be used', 'grey'],
    none: ['has none', 'grey'],
};

const MOST_NAMES = 5;

function Asked({ of }) {
    return html`
        <h3><${Resource} of=${of.resource} /> <span class="of">asked for by ${of.containers.slice(0, 5).map((name) => shown(name, 63)).join(', ')}</span></h3>
        ${of.candidates.map(
            (candidate) => html`<details class="candidate" open=${candidate.fate === 'chosen' || candidate.fate === 'awaited'}>
                <summary><${Resource} of=${candidate.resource} /> <${Badge} tone=${candidate.fate === 'chosen' ? 'green' : candidate.fate === 'awaited' ? 'amber' : 'grey'}>${words(candidate.fate)}<//> <span class="of">${MEANING[candidate.fate]} One node must have ${number(candidate.need)}.</span></summary>
                <${Table}
                    label=${`Nodes for ${shown(candidate.resource, 80)}`}
                    rows=${candidate.nodes}
                    columns=${[
                        ['Nodes', (alike) => html`<b class="nowrap">${nodeCount(alike.count)}</b> <span class="of">${alike.names.slice(0, MOST_NAMES).map((name) => shown(name, 63)).join(', ')}${alike.count > MOST_NAMES ? ', …' : ''}</span>`],
                        ['Answer', (alike) => html`<${Badge} tone=${ANSWERS[alike.answer]?.[1]}>${ANSWERS[alike.answer]?.[0] ?? words(alike.answer)}<//>`],
                        ['Why', Why],
                        ['Free', (alike) => number(alike.available), 'number'],
                        ['Allocatable', (alike) => number(alike.allocatable), 'number'],
                    ]}
                />
            </details>`,
        )}
    `;
}

const Why = (alike) => html`
    ${alike.why && shown(alike.why, 300)}
    ${alike.heldBy?.length > 0 && html`<span>held by ${alike.heldBy.slice(0, MOST_NAMES).map((holder) => `${shown(holder.pod, 120)} (${number(holder.amount)})`).join(', ')}${alike.heldBy.length > MOST_NAMES ? ` and ${number(alike.heldBy.length - MOST_NAMES)} more` : ''}</span>`}
`;
