// Why pods do not run, with the evidence and the next step, and which nodes have faults.

import { html, useState } from './lib/preact.js';
import { session, useAnswer } from './api.js';
import { address, refine, to } from './address.js';
import { Answer, Badge, Card, Choice, Copy, Empty, Figure, Lines, Name, Search, Table, Time } from './parts.js';
import { useStore } from './store.js';
import { count, duration, number, shown, words } from './text.js';

/** The verdicts of pods that only have to wait. */
const CURED_BY_WAITING = new Set(['AllUsed', 'HeldByTerminating', 'MigChangeRunning']);

/** What helps, as src/docs/doctor.md says for each verdict. */
const CURES = {
    RequestsWithoutLimits: 'Write the same number as request and as limit.',
    QuotaExceeded: 'Raise the quota, or end pods of the namespace.',
    DeniedAtAdmission: 'Change what the message names.',
    SchedulingGated: 'Ask the controller that set the gate. Look at Kueue’s Workload, or at the other pods of the gang.',
    OtherScheduler: 'Start the scheduler, or look at its queue.',
    UnknownProfile: 'Use the profile that is suggested.',
    NoGpuNodes: 'Add a node, or ask for the resource of the other vendor.',
    NeverFitsOneNode: 'Ask for less, or spread the work over several pods.',
    DraClaimUnsatisfied: 'Look at the claim and the class, or at the log of the driver’s pod.',
    PluginNotRegistered: 'Look at the DaemonSet and the pod of the device plugin.',
    PluginStopped: 'Look at the device plugin’s pod and its log.',
    MigChangeFailed: 'Look at the MIG manager’s log, drain the node, and set the label again.',
    MigChangeRunning: 'Wait for the change to end.',
    MigWithoutInstances: 'Set nvidia.com/mig.config to a configuration with instances.',
    UnhealthyDevices: 'Look at the device plugin’s log, and restart the plugin after the repair.',
    ConstraintMismatch: 'Change what the evidence names.',
    HeldByTerminating: 'Look at the finalizers of the pods that are ending, and at their node.',
    Fragmented: 'Move smaller pods to other nodes, so that one node has enough free, or ask for less.',
    AllUsed: 'Wait, or end a pod that holds them.',
    SharedRequestTooLarge: 'Ask for 1.',
    KubeletRefused: 'Do what the explanation says about the node first. Then delete the pod, so that its owner makes a new one.',
    NotRunning: 'Look at what the message names.',
};

const HEALTHY = 'Healthy';
const UNKNOWN = 'Unknown';
const STEP = 25;

export function WaitingView() {
    const { filters } = useStore(address);
    const diagnosis = useAnswer('diagnosis', {}, 30);
    const { namespace } = useStore(session);
    return html`
        <${Answer} of=${diagnosis}>${(answer) => html`<${Diagnosis} of=${answer} filters=${filters} />`}<//>
        ${!namespace && html`<${Bypassed} />`}
    `;
}

const verdictOf = (pod) => pod.verdict ?? UNKNOWN;

const tone = (verdict) => (verdict === UNKNOWN ? 'grey' : CURED_BY_WAITING.has(verdict) ? 'amber' : 'red');

function Diagnosis({ of, filters }) {
    const [q, wanted] = [filters.get('q') ?? '', filters.get('verdict') ?? ''];
    const text = q.trim().toLowerCase();
    const waiting = of.pods.filter((pod) => pod.verdict !== HEALTHY);
    const found = waiting.filter(
        (pod) => (!wanted || verdictOf(pod) === wanted) && (!text || `${pod.namespace}/${pod.name}`.toLowerCase().includes(text)),
    );
    const groups = new Map();
    for (const pod of found) {
        groups.set(verdictOf(pod), groups.get(verdictOf(pod)) ?? []);
        groups.get(verdictOf(pod)).push(pod);
    }
    const faulty = of.nodes.filter((node) => node.findings.length > 0);
    const lasting = waiting.filter((pod) => tone(verdictOf(pod)) === 'red').length;
    const verdicts = [...new Set(waiting.map(verdictOf))].sort();
    return html`
        <div class="figures">
            <${Figure} value=${number(waiting.length)} of=${waiting.length === 1 ? 'pod does not run' : 'pods do not run'} />
            <${Figure} value=${number(lasting)} of=${lasting === 1 ? 'needs somebody to act' : 'need somebody to act'} tone=${lasting > 0 ? 'red' : ''} />
            <${Figure} value=${number(faulty.length)} of=${faulty.length === 1 ? 'node with a fault' : 'nodes with a fault'} tone=${faulty.length > 0 ? 'red' : ''} />
        </div>
        <form class="filters" role="search" aria-label="Filters of pods" onSubmit=${(event) => event.preventDefault()}>
            <${Search} label="Find pods by namespace or name" placeholder="Namespace or pod" value=${q} onInput=${(value) => refine({ q: value })} />
            <${Choice} label="Verdict" value=${wanted} options=${[['', 'all'], ...verdicts.map((verdict) => [verdict, words(verdict)])]} onChange=${(verdict) => refine({ verdict })} />
        </form>
        <p class="sentence">
            ${of.ageSeconds !== undefined && `Diagnosed ${duration(of.ageSeconds)} ago.`}
            ${of.unchecked.length > 0 && ` Not checked: ${of.unchecked.map((kind) => shown(kind.kind, 63)).join(', ')}.`}
        </p>
        ${found.length === 0 && html`<${Empty}>${waiting.length === 0 ? 'Every GPU pod runs.' : 'No pod is chosen by these filters.'}<//>`}
        <div class="columns groups">${[...groups]
            .sort(([a, pods], [b, others]) => (tone(a) === 'red' ? 0 : 1) - (tone(b) === 'red' ? 0 : 1) || others.length - pods.length)
            .map(([verdict, pods]) => html`<${Group} key=${verdict} verdict=${verdict} pods=${pods} />`)}</div>
        ${faulty.length > 0 &&
        html`<${Card} title="Nodes with faults" aside=${html`<span class="of">${count(faulty.length, 'node')}</span>`}>
            ${faulty.slice(0, 200).map(
                (node) => html`<details class="pod-row" key=${node.name} open=${faulty.length <= 3}>
                    <summary><${Name} of=${node.name} most=${80} /> ${node.findings.slice(0, 4).map((finding) => html`<${Badge} tone="red">${words(finding.code)}<//> `)}</summary>
                    ${node.findings.map((finding) => html`<${Lines} of=${finding.explanation} />`)}
                    <p><a href=${to('fleet', { node: node.name })}>Show the node</a></p>
                </details>`,
            )}
        <//>`}
    `;
}

function Group({ verdict, pods }) {
    const [rows, setRows] = useState(STEP);
    return html`
        <${Card} title=${words(verdict)} aside=${html`<${Badge} tone=${tone(verdict)}>${count(pods.length, 'pod')}${CURED_BY_WAITING.has(verdict) ? ', only waiting' : ''}<//>`}>
            ${pods.slice(0, rows).map((pod) => html`<${Pod} key=${`${pod.namespace}/${pod.name}`} pod=${pod} isOpen=${pods.length === 1} />`)}
            ${pods.length > rows && html`<p><button type="button" onClick=${() => setRows(rows + STEP)}>Show ${number(Math.min(STEP, pods.length - rows))} more</button></p>`}
        <//>
    `;
}

const firstSentence = (text) => shown(text.split(/(?<=\.)\s/)[0], 160);

function Pod({ pod, isOpen }) {
    return html`
        <details class="pod-row" open=${isOpen}>
            <summary><span><bdi class="of">${shown(pod.namespace, 63)}/</bdi><bdi>${shown(pod.name, 120)}</bdi></span> <span class="of hint">${firstSentence(pod.explanation)}</span></summary>
            <${Lines} of=${pod.explanation} />
            <${Next} of=${pod} />
            ${pod.also.length > 0 && html`<p>Also: ${pod.also.map((code) => html`<${Badge}>${words(code)}<//> `)}</p>`}
            ${pod.reasons.length > 0 && html`<p>Constraints that exclude nodes: ${pod.reasons.map((reason) => shown(reason, 80)).join(', ')}</p>`}
            ${pod.evidence.length > 0 &&
            html`<h3>Evidence</h3>
                <ul class="evidence">${pod.evidence.slice(0, 30).map((one) => html`<li><span class="of">${shown(one.kind, 40)}</span> <${Name} of=${one.name} most=${120} />: ${shown(one.fact, 1_000)}</li>`)}</ul>`}
            <p><a href=${to('decisions', { q: `${pod.namespace}/${pod.name}` })}>Decisions about this pod</a></p>
        </details>
    `;
}

/** What to do, and a command that shows the object that has to change. */
function Next({ of }) {
    const cure = CURES[of.verdict];
    return html`
        ${(cure || of.next) && html`<p><b>Next:</b> ${cure}</p>`}
        ${of.next && html`<div class="inline"><code>${shown(of.next, 600)}</code> <${Copy} label="Copy" text=${() => of.next} /></div>`}
    `;
}

/** Pods that were created while no replica decided about them. */
function Bypassed() {
    const { answer, refusal } = useAnswer('bypassed', {}, 60);
    if (refusal || !answer || answer.pods.length === 0) {
        return null;
    }
    return html`
        <${Card} title="Pods that nobody decided about" aside=${html`<span class="of">${count(answer.counts.reduce((sum, one) => sum + one.pods, 0), 'pod')}</span>`}>
            <${Table}
                label="Pods that nobody decided about"
                rows=${answer.pods.slice(0, STEP)}
                columns=${[
                    ['Pod', (pod) => html`<${Name} of=${`${pod.namespace}/${pod.name}`} most=${120} />`],
                    ['Why', (pod) => words(pod.cause)],
                    ['Created', (pod) => html`<${Time} at=${pod.created} />`],
                ]}
            />
        <//>
    `;
}
