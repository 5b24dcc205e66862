/** For runtimes that do not say how large their heap may become, such as browsers. */
const withoutHeapLimit: number = 128 * 1024 * 1024;

/** What runtimes with Node's modules have. It is not part of the types of the core. */
interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => V8Module | undefined };
}

interface V8Module {
  readonly getHeapStatistics?: () => { readonly heap_size_limit?: number };
}

/**
 * The default of the option `historyBytes`: an eighth of the heap limit. The rest is for the objects themselves, for the
 * estimate, which leaves out what is remembered about them, and for requests.
 */
export function defaultHistoryBytes(): number {
  // The members are optional, so the type holds in every runtime.
  const { process } = globalThis as NodeGlobal;
  const limit = process?.getBuiltinModule?.("node:v8")?.getHeapStatistics?.().heap_size_limit ?? 0;
  return limit > 0 ? Math.floor(limit / 8) : withoutHeapLimit;
}
