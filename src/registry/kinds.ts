import { formatGroupResource, type GroupResource } from "../apimachinery/group-version.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { KindDefinition, KindRules } from "./contract/kind-definition.ts";

const noRules: KindRules = {};

/** The kind definitions of a cluster, and the loaded rules. */
export class Kinds {
  readonly #served: Pick<ServedApi<KindDefinition>, "current">;
  readonly #rules = new WeakMap<KindDefinition, KindRules>();

  constructor(served: Pick<ServedApi<KindDefinition>, "current">) {
    this.#served = served;
  }

  /** The definition of a kind; undefined for a kind that does only what the generic registry does. */
  definitionOf(gr: GroupResource): KindDefinition | undefined {
    return this.#served.current.definitionOf(gr);
  }

  /**
   * The rules of a kind. A request keeps to the definition with which it began, whatever the cluster serves meanwhile.
   * @throws {Error} if they are not loaded
   */
  rulesOf(definition: KindDefinition | undefined): KindRules {
    if (definition?.rules === undefined) return noRules;
    const rules = this.#rules.get(definition);
    if (rules === undefined)
      throw new Error(`the rules of ${formatGroupResource(definition)} are not loaded`);
    return rules;
  }

  isLoaded(gr: GroupResource): boolean {
    const definition = this.definitionOf(gr);
    return definition === undefined || this.#isLoaded(definition);
  }

  /** Loads the rules of a kind, and of the kinds that it uses. */
  async load(gr: GroupResource): Promise<void> {
    const definition = this.definitionOf(gr);
    if (definition !== undefined) await this.#load(definition);
  }

  #isLoaded(definition: KindDefinition): boolean {
    const isKnown = definition.rules === undefined || this.#rules.has(definition);
    return isKnown && (definition.uses ?? []).every((used) => this.#isLoaded(used));
  }

  async #load(definition: KindDefinition): Promise<void> {
    const { rules, uses = [] } = definition;
    await Promise.all(uses.map((used) => this.#load(used)));
    if (rules !== undefined && !this.#rules.has(definition)) this.#rules.set(definition, await rules());
  }
}
