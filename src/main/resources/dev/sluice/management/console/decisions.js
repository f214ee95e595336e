// The decisions as they are made, and the whole record of one.

import { html, useMemo, useState } from './lib/preact.js';
import { useAnswer } from './api.js';
import { address, refine, to } from './address.js';
import { connection, decisions as live, leftOut, loadLeftOut } from './live.js';
import { Answer, Badge, Card, Choice, Copy, Empty, Exchange, Facts, Lines, MEANING, Name, Refused, Resource, Search, Table, Time, Verdict } from './parts.js';
import { useStore } from './store.js';
import { count, latency, newestFirst, number, shown, words } from './text.js';

/** How many rows the list shows at first, and how many more on request. */
const STEP = 100;

const VERDICTS = ['changed', 'unchanged', 'kept', 'untouched', 'denied'];

const podOf = (decision) => `${decision.namespace}/${decision.name || '(no name)'}`;

const asked = (decision) => [...new Set(decision.containers.flatMap((container) => Object.keys(container.asked)))];

const isInstant = (text) => text.endsWith('Z') && !Number.isNaN(Date.parse(text));

function matches(decision, { q, namespace, verdict, reason, enforcement, since, from, to: given }) {
    const text = q?.trim().toLowerCase();
    return (
        (!namespace || decision.namespace === namespace) &&
        (!verdict || decision.decision === verdict) &&
        (!reason || decision.reason === reason) &&
        (!enforcement || decision.enforcement === enforcement) &&
        // An age such as 15m is left to the gateway, because it is another time with each decision.
        (!isInstant(since) || newestFirst(decision.time, since) <= 0) &&
        (!from || decision.changes.some((change) => change.from === from && (!given || change.to === given))) &&
        (!text ||
            [podOf(decision), decision.uid, decision.owner?.name ?? '', decision.reason, ...asked(decision)].some((part) =>
                part.toLowerCase().includes(text),
            ))
    );
}

export function DecisionsView() {
    const { name, filters } = useStore(address);
    return name ? html`<${Record} uid=${name} />` : html`<${List} filters=${filters} />`;
}

function List({ filters }) {
    const wanted = Object.fromEntries(['q', 'namespace', 'verdict', 'reason', 'enforcement', 'since', 'from', 'to'].map((key) => [key, filters.get(key) ?? '']));
    const { namespace, verdict, reason, enforcement, since, from, to: given } = wanted;
    const kept = useAnswer('decisions', { namespace, verdict, reason, enforcement, since, from, to: given, limit: 1000 });
    const fromStream = useStore(live);
    const more = useStore(leftOut);
    const { state } = useStore(connection);
    const [heldAt, hold] = useState(null);
    const [rows, setRows] = useState(STEP);
    const all = useMemo(() => {
        const byId = new Map([...fromStream, ...(kept.answer?.decisions ?? [])].map((decision) => [decision.id, decision]));
        return [...byId.values()].sort((a, b) => newestFirst(a.time, b.time));
    }, [kept.answer, fromStream]);
    const isNewer = (decision) => heldAt !== null && newestFirst(decision.time, heldAt) < 0;
    const matching = all.filter((decision) => matches(decision, wanted));
    const found = matching.filter((decision) => !isNewer(decision));
    const newer = matching.length - found.length;
    const reasons = [...new Set([...all.map((decision) => decision.reason), ...(reason ? [reason] : [])])].sort();
    const namespaces = [...new Set([...all.map((decision) => decision.namespace), ...(namespace ? [namespace] : [])])].sort();
    const any = (values) => [['', 'all'], ...values.map((value) => [value, value])];
    return html`
        <form class="filters" role="search" aria-label="Filters of decisions" onSubmit=${(event) => event.preventDefault()}>
            <${Search} label="Find decisions by pod, owner, uid or resource" placeholder="Pod, owner, uid or resource" value=${wanted.q} onInput=${(q) => refine({ q })} />
            <${Choice} label="Namespace" value=${namespace} options=${any(namespaces)} onChange=${(value) => refine({ namespace: value })} />
            <${Choice} label="Decision" value=${verdict} options=${any(VERDICTS)} onChange=${(value) => refine({ verdict: value })} />
            <${Choice} label="Reason" value=${reason} options=${any(reasons)} onChange=${(value) => refine({ reason: value })} />
            ${(from || given) &&
            html`<span class="chip"><${Exchange} from=${from || 'any'} to=${given || 'any'} short /><button type="button" aria-label="Remove this filter" onClick=${() => refine({ from: '', to: '' })}>×</button></span>`}
            ${since && html`<span class="chip">Since ${isInstant(since) ? html`<${Time} at=${since} />` : shown(since, 20)}<button type="button" aria-label="Remove the filter of the time" onClick=${() => refine({ since: '' })}>×</button></span>`}
            ${enforcement && html`<span class="chip">${enforcement === 'observe' ? 'Only observed' : enforcement === 'enforce' ? 'Enforced' : shown(enforcement, 20)}<button type="button" aria-label="Remove the filter of the enforcement" onClick=${() => refine({ enforcement: '' })}>×</button></span>`}
            <button type="button" class="quiet" aria-pressed=${heldAt !== null} disabled=${heldAt === null && all.length === 0} onClick=${() => hold(heldAt === null ? all[0].time : null)}>
                ${heldAt !== null ? `Continue${newer > 0 ? ` (${number(newer)} new)` : ''}` : 'Hold the list'}
            </button>
        </form>
        ${kept.refusal && html`<${Refused} refusal=${kept.refusal} again=${kept.again} />`}
        <p class="sentence" role="status">
            ${count(found.length, 'decision')}${state === 'live' && heldAt === null ? ', live' : ''}.
            ${kept.answer?.missing?.length > 0 && ` ${count(kept.answer.missing.length, 'replica')} did not answer, so some are missing.`}
            ${kept.answer?.leftOut > 0 && ` ${number(kept.answer.leftOut)} older ones are left out.`}
        </p>
        ${more > 0 &&
        html`<p class="left-out note">
            ${count(more, 'more decision')} ${more === 1 ? 'was' : 'were'} made so fast that the list does not show ${more === 1 ? 'it' : 'them'} yet.
            <button type="button" onClick=${loadLeftOut}>Load the newest</button>
        </p>`}
        ${found.length === 0
            ? kept.answer && html`<${Empty}>${all.length === 0 ? 'No GPU pod has been decided about yet.' : 'No decision is chosen by these filters.'}<//>`
            : html`
                  <${Table}
                      label="Decisions"
                      keyOf=${(decision) => decision.id}
                      rows=${found.slice(0, rows)}
                      columns=${[
                          ['Time', (decision) => html`<${Time} at=${decision.time} />`, 'nowrap'],
                          ['Pod', Pod],
                          ['Resources', Given],
                          ['Decision', (decision) => html`<${Verdict} of=${decision.decision} observed=${decision.enforcement === 'observe'} /> ${decision.dryRun && html` <${Badge}>dry run<//>`}`],
                          ['Reason', (decision) => words(decision.reason)],
                      ]}
                  />
                  ${found.length > rows && html`<p><button type="button" onClick=${() => setRows(rows + STEP)}>Show ${number(Math.min(STEP, found.length - rows))} more</button></p>`}
              `}
    `;
}

const Pod = (decision) => html`
    <a class="pod" href=${to('decisions', { name: decision.uid })}><bdi class="of">${shown(decision.namespace, 63)}/</bdi><bdi>${shown(decision.name || '(no name)', 80)}</bdi></a>
`;

function Given(decision) {
    const changes = decision.changes.slice(0, 3);
    return changes.length > 0
        ? changes.map((change) => html`<${Exchange} from=${change.from} to=${change.to} short />`)
        : asked(decision)
              .slice(0, 3)
              .map((resource) => html`<${Resource} of=${resource} short /> `);
}

function Record({ uid }) {
    const answer = useAnswer(`decisions`, { uid, limit: 10 });
    return html`
        <nav class="back"><a href="#/decisions">← All decisions</a></nav>
        <${Answer} of=${answer}
            >${({ decisions }) =>
                decisions.length > 0
                    ? decisions.map((decision) => html`<${Whole} key=${decision.id} decision=${decision} />`)
                    : html`<${Empty}>No replica remembers a decision about the review ${shown(uid)}. Each keeps its last 1,000.<//>`}<//
        >
    `;
}

/** The sentence that says what became of the pod. */
const sentences = (decision) => [decision.message, ...decision.warnings].filter(Boolean);

function Whole({ decision }) {
    const said = sentences(decision);
    return html`
        <article class="record">
            <header class="lead">
                <h2><bdi class="of">${shown(decision.namespace, 63)}/</bdi><${Name} of=${decision.name || '(no name)'} /></h2>
                <p><${Verdict} of=${decision.decision} observed=${decision.enforcement === 'observe'} /> ${words(decision.reason)} · <${Time} at=${decision.time} /></p>
                ${said.length > 0 ? said.map((sentence) => html`<${Lines} of=${sentence} />`) : html`<p>${MEANING[decision.decision]}</p>`}
                <p class="actions">
                    <${Copy} label="Copy link" text=${() => location.href} />
                    <${Copy} label="Copy as JSON" text=${() => JSON.stringify(decision, null, 2)} />
                </p>
            </header>
            <${Card} title="Containers">
                <${Table}
                    label="Containers"
                    columns=${[
                        ['Container', (container) => html`<${Name} of=${container.name} most=${63} /> ${container.kind !== 'main' && html`<${Badge}>${container.kind}<//>`}`],
                        ['Asked', (container) => html`<${Amounts} of=${container.asked} />`],
                        ['Given', (container) => (container.given ? html`<${Amounts} of=${container.given} />` : 'nothing: the pod is refused')],
                    ]}
                    rows=${decision.containers}
                />
                ${decision.moreContainers > 0 && html`<p>${count(decision.moreContainers, 'more container')} ask for GPUs.</p>`}
            <//>
            ${decision.candidates.length > 0 &&
            html`<${Card} title="Candidates">
                <${Table}
                    label="Candidates"
                    rowClass=${(candidate) => (candidate.fate === 'chosen' ? 'chosen' : '')}
                    columns=${[
                        ['Asked', (candidate) => html`<${Resource} of=${candidate.asked} />`],
                        ['Candidate', (candidate) => html`<${Resource} of=${candidate.resource} />`],
                        ['Outcome', (candidate) => html`<${Badge} tone=${candidate.fate === 'chosen' ? 'green' : 'grey'}>${words(candidate.fate)}<//>`],
                        ['Meaning', (candidate) => MEANING[candidate.fate] ?? ''],
                    ]}
                    rows=${decision.candidates}
                />
            <//>`}
            ${decision.causes.length > 0 && html`<${Card} title="Causes">${decision.causes.map((cause) => html`<${Cause} of=${cause} />`)}<//>`}
            <${Card} title="How it was decided">
                <${Facts}
                    of=${[
                        ['Owner', decision.owner && `${shown(decision.owner.kind, 63)} ${shown(decision.owner.name)}`],
                        ['Enforcement', decision.enforcement === 'observe' ? 'only observed: the pod was created as written' : 'enforced'],
                        ['Mode', decision.mode],
                        ['Injection', decision.injection && `${shown(decision.injection.gpuType)}${decision.injection.rule ? ` (${shown(decision.injection.rule)})` : ''}`],
                        ['Policy generation', number(decision.policyGeneration)],
                        ['Snapshot generation', number(decision.snapshotGeneration)],
                        ['Age of the snapshot', decision.snapshotAgeSeconds === undefined ? '' : latency(decision.snapshotAgeSeconds)],
                        ['Took', latency(decision.micros / 1e6)],
                        ['Dry run', decision.dryRun ? 'yes: the pod is not stored' : ''],
                        ['Stamp', decision.stamp && html`<${Name} of=${decision.stamp} />`],
                        ['Review', html`<${Name} of=${decision.uid} />`],
                        ['Record', html`<${Name} of=${decision.id} />`],
                    ]}
                />
                ${decision.changes.length > 0 && html`<h3>Exchanged</h3>${decision.changes.map((change) => html`<p><${Exchange} from=${change.from} to=${change.to} /></p>`)}`}
            <//>
            <p class="sentence">A record keeps neither the nodes nor the patch. <a href=${to('what-if', { decision: decision.uid })}>Ask what would happen now</a> to see both for this pod, as the cluster is now.</p>
            <details class="card"><summary>The record as JSON</summary><pre>${shownJson(decision)}</pre></details>
        </article>
    `;
}

/** Returns JSON in which everything that cannot be seen is written as escapes. */
export const shownJson = (value) =>
    JSON.stringify(value, null, 2)
        .slice(0, 200_000)
        .replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu, (hidden) => hidden.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));

const Amounts = ({ of }) => html`<ul class="amounts">${Object.entries(of).map(([resource, amount]) => html`<li><b>${shown(amount, 30)}</b> <${Resource} of=${resource} /></li>`)}</ul>`;

/** Why a resource is not given, by the words of the API. */
const WHY = {
    NoNode: 'No node offers it.',
    NoUsableNode: 'Only nodes that the pod may not use offer it.',
    NotTogether: 'No node offers it together with what else the pod needs.',
    TooFewOnEachNode: 'No node that the pod may use has enough of it.',
    NoNodeHasAll: 'No node that would take the pod has all that it needs free.',
    TooFewFree: 'Too few of it are free.',
    NoNodeHasEnough: 'Enough are free in all, but not on one node.',
    ShortBeside: 'It is free where something else is short.',
};

const FALLBACKS = {
    none: 'The policy names no fallback.',
    alsoMissing: 'The fallbacks are missing, too.',
    notUsable: 'The pod may not use the nodes that have the fallbacks.',
    notTogether: 'No node has the fallbacks together with what else the pod needs.',
    limited: 'A LimitRange rules the fallbacks out.',
    switchedOff: 'The pod has switched fallbacks off by its annotation.',
};

const ofSubject = (title, subject) =>
    subject && [
        title,
        html`<${Resource} of=${subject.resource} />
            ${subject.why && html`<p>${WHY[subject.why] ?? words(subject.why)}</p>`}
            <${Facts}
                of=${[
                    ['Needed on one node', subject.need],
                    ['Free', subject.free],
                    ['Offered', subject.total],
                    ['On nodes', subject.nodes],
                    ['Most on one node', subject.largest],
                    ['Short of', subject.shortOf && html`<${Resource} of=${subject.shortOf} />`],
                    ['Short by', subject.shortOfAmount],
                ].map(([term, value]) => [term, typeof value === 'number' ? number(value) : value])}
            />`,
    ];

function Cause({ of }) {
    return html`
        <section class="cause">
            <h3>${words(of.cause)}</h3>
            ${of.problem && html`<${Lines} of=${of.problem} />`}
            <${Facts}
                of=${[
                    ['Containers', of.containers && `${of.containers.map((name) => shown(name, 63)).join(', ')}${of.moreContainers > 0 ? ` and ${of.moreContainers} more` : ''}`],
                    ofSubject('Asked', of.asked),
                    ofSubject('Given', of.given),
                    ['Fallbacks', of.fallbacks && (FALLBACKS[of.fallbacks] ?? words(of.fallbacks))],
                    ...[...(of.offered ?? []), ...(of.usable ?? [])].slice(0, 8).map((subject) => ofSubject('Would work', subject)),
                    ['Most', of.most],
                    ['Value', of.value && shown(of.value)],
                ].filter(Boolean)}
            />
        </section>
    `;
}
