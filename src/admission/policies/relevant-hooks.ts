import type { AdmissionAttributes } from "../contract/admission.ts";
import type { ObjectVersion } from "../contract/object-interfaces.ts";
import { type SelectionContext, selectedVersion } from "../matching/criteria.ts";
import type { PolicyHook } from "./policy-hooks.ts";

interface Relevant<P> {
  readonly equivalents: readonly ObjectVersion[];
  readonly hooks: readonly PolicyHook<P>[];
}

/** Each resource, subresource and operation that is requested has an entry. The number bounds what many custom resources keep. */
const maxEntries = 1000;

/**
 * Remembers which policies have rules for the resource and the operation of a request, so that the others cost nothing.
 */
export class RelevantHooks<P> {
  readonly #context: SelectionContext;
  readonly #known = new Map<string, Relevant<P>>();
  #hooks: readonly PolicyHook<P>[] = [];

  constructor(context: SelectionContext) {
    this.#context = context;
  }

  of(hooks: readonly PolicyHook<P>[], attributes: AdmissionAttributes): readonly PolicyHook<P>[] {
    if (hooks !== this.#hooks || this.#known.size >= maxEntries) this.#known.clear();
    this.#hooks = hooks;
    const { gvr, subresource, operation, namespace } = attributes;
    const scope = namespace === "" ? "" : "*";
    const key = `${operation} ${gvr.group}/${gvr.version}/${gvr.resource}/${subresource} ${scope}`;
    const known = this.#known.get(key);
    const equivalents = this.#context.objects.equivalentsOf(attributes);
    if (known?.equivalents === equivalents) return known.hooks;
    const relevant = hooks.filter(
      ({ policy }) => selectedVersion(policy.rulesOfAnyName, attributes, this.#context) !== undefined,
    );
    this.#known.set(key, { equivalents, hooks: relevant });
    return relevant;
  }
}
