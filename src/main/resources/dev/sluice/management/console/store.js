// A value that components read, and that draws them again when it is replaced.

import { useLayoutEffect, useState } from './lib/preact.js';

export class Store {
    #value;
    #listeners = new Set();

    constructor(value) {
        this.#value = value;
    }

    get value() {
        return this.#value;
    }

    set(value) {
        this.#value = value;
        this.#listeners.forEach((listener) => listener());
    }

    /** Calls the listener after each change. Returns the function that ends this. */
    subscribe(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
}

export function useStore(store) {
    const [, draw] = useState(0);
    useLayoutEffect(() => store.subscribe(() => draw((count) => count + 1)), [store]);
    return store.value;
}
