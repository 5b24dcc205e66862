import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson } from "../../codec/json/json.ts";

/**
 * Whether the mutating plugins run a second time, because a webhook or a policy changed the object after others had seen it.
 * Upstream: apiserver, pkg/admission/attributes.go, reinvocationContext.
 */
export class ReinvocationContext {
  readonly #values = new Map<string, PreviousCalls>();
  /** Whether this is the second run. */
  isReinvoke = false;
  /** Whether a plugin asks for a second run. */
  shouldReinvoke = false;

  /** What is remembered of the webhooks or policies of a plugin between the runs of one request. */
  callsOf(plugin: string): PreviousCalls {
    const known = this.#values.get(plugin) ?? new PreviousCalls();
    this.#values.set(plugin, known);
    return known;
  }
}

/**
 * The webhooks or policies that a request has met already, by an identity of theirs. Upstream: apiserver,
 * plugin/webhook/mutating/reinvocationcontext.go and plugin/policy/mutating/reinvocationcontext.go.
 */
class PreviousCalls {
  readonly #called = new Set<string>();
  readonly #due = new Set<string>();
  #output: string | undefined;

  /** Remembers one that sees the object again if it changes. */
  add(id: string): void {
    this.#called.add(id);
  }

  /** The object has changed, so those that were called see it again. */
  require(): void {
    for (const id of this.#called) this.#due.add(id);
    this.#called.clear();
  }

  isDue(id: string): boolean {
    return this.#due.has(id);
  }

  /** Remembers the object as the plugin left it. */
  leave(object: KubeObject | undefined): void {
    this.#output = textOf(object);
  }

  /** Whether something has changed the object since the plugin left it. */
  isChanged(object: KubeObject | undefined): boolean {
    return this.#output !== textOf(object);
  }
}

function textOf(object: KubeObject | undefined): string | undefined {
  return object && encodeJson(object);
}
