// tsconfig.node.json maps jsdom to this file: its own declarations, which Vitest and Jest import, give every source the types of the DOM.
export {};
