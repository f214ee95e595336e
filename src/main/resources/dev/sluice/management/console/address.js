// The address of what is shown. It is the fragment of the URL, which no browser sends to a server: #/VIEW/NAME?filter=…

import { Store } from './store.js';

function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

function parse() {
    const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [view, ...names] = path.split('/').map(decoded);
    return { view: view || 'fleet', name: names.join('/'), filters: new URLSearchParams(query) };
}

export const address = new Store(parse());

addEventListener('hashchange', () => address.set(parse()));

/** Returns the address of a view, with the filters that have a value. */
export function to(view, { name = '', ...filters } = {}) {
    const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
    return `#/${view}${name ? `/${encodeURIComponent(name)}` : ''}${query ? `?${query}` : ''}`;
}

/** Changes filters of the view that is shown. It leaves no step in the history, because typing would leave many. */
export function refine(changes) {
    const { view, name, filters } = address.value;
    history.replaceState(null, '', to(view, { name, ...Object.fromEntries(filters), ...changes }));
    address.set(parse());
}

export function go(target) {
    location.hash = target;
}
