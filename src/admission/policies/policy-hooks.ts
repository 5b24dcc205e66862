import { listAt, objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Criteria, matchResourcesCriteria } from "../matching/criteria.ts";
import type { StoredConfiguration } from "../plugins/dynamic-plugin.ts";

/** A binding of a policy. */
export interface PolicyBinding {
  readonly name: string;
  /** Undefined if it selects every request that the policy selects. */
  readonly criteria: Criteria | undefined;
  readonly paramRef: JsonObject | undefined;
  readonly actions: readonly string[];
}

/** A stored policy without its bindings. */
export interface StoredPolicy<P> {
  readonly name: string;
  readonly criteria: Criteria;
  /** The rules of the criteria without names of objects. */
  readonly rulesOfAnyName: Criteria;
  readonly ignoresFailures: boolean;
  readonly paramKind: JsonObject | undefined;
  /** The compiled policy. It is compiled when it first selects a request. */
  readonly compiled: P;
}

/** A policy with its bindings. */
export interface PolicyHook<P> {
  readonly policy: StoredPolicy<P>;
  readonly bindings: readonly PolicyBinding[];
}

/** The resources of policies and of their bindings. */
export interface PolicyResources {
  readonly policies: string;
  readonly bindings: string;
}

/** The policies that have bindings, by name in order. What is read of an object is remembered for as long as the object is the same. */
export class PolicyHooks<P> {
  readonly #resources: PolicyResources;
  readonly #compile: (policy: KubeObject) => P;
  readonly #policies = new WeakMap<KubeObject, StoredPolicy<P>>();
  readonly #bindings = new WeakMap<KubeObject, PolicyBinding>();
  #objects: StoredConfiguration | undefined;
  #hooks: readonly PolicyHook<P>[] = [];

  constructor(resources: PolicyResources, compile: (policy: KubeObject) => P) {
    this.#resources = resources;
    this.#compile = compile;
  }

  /** The same list for the same objects. */
  of(objects: StoredConfiguration): readonly PolicyHook<P>[] {
    if (objects === this.#objects) return this.#hooks;
    const bindings = new Map<string, PolicyBinding[]>();
    for (const object of objects.get(this.#resources.bindings) ?? []) {
      const policy = textAt(object, "spec", "policyName");
      const known = this.#bindings.get(object) ?? bindingOf(object);
      this.#bindings.set(object, known);
      bindings.set(policy, [...(bindings.get(policy) ?? []), known]);
    }
    this.#objects = objects;
    this.#hooks = (objects.get(this.#resources.policies) ?? []).flatMap((object) => {
      const own = bindings.get(object.metadata.name ?? "");
      return own === undefined ? [] : [{ policy: this.#policyOf(object), bindings: own }];
    });
    return this.#hooks;
  }

  #policyOf(object: KubeObject): StoredPolicy<P> {
    const known = this.#policies.get(object);
    if (known !== undefined) return known;
    const spec = structAt(object, "spec");
    const constraints = structAt(spec, "matchConstraints");
    const compile = this.#compile;
    let compiled: P | undefined;
    const policy: StoredPolicy<P> = {
      name: object.metadata.name ?? "",
      criteria: matchResourcesCriteria(constraints),
      rulesOfAnyName: rulesOfAnyName(constraints),
      ignoresFailures: textAt(spec, "failurePolicy") === "Ignore",
      paramKind: objectAt(spec, "paramKind"),
      get compiled() {
        compiled ??= compile(object);
        return compiled;
      },
    };
    this.#policies.set(object, policy);
    return policy;
  }
}

function rulesOfAnyName(constraints: JsonObject): Criteria {
  const resourceRules = listAt(constraints, "resourceRules").map((rule) => ({ ...rule, resourceNames: [] }));
  return matchResourcesCriteria({ resourceRules, matchPolicy: textAt(constraints, "matchPolicy") });
}

function bindingOf(object: KubeObject): PolicyBinding {
  const spec = structAt(object, "spec");
  const resources = objectAt(spec, "matchResources");
  const actions = textsAt(spec, "validationActions");
  return {
    name: object.metadata.name ?? "",
    criteria: resources && matchResourcesCriteria(resources),
    paramRef: objectAt(spec, "paramRef"),
    // 1.26 has no actions and denies.
    actions: actions.length === 0 ? ["Deny"] : actions,
  };
}
