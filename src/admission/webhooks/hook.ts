import { integerAt, listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Environment } from "../../cel/environment/environment.ts";
import { type MatchConditions, matchConditions } from "../expressions/match-conditions.ts";
import { type Criteria, webhookCriteria } from "../matching/criteria.ts";

/** A webhook of a configuration. */
export interface Hook {
  readonly name: string;
  /** The name of the configuration. */
  readonly configuration: string;
  /** Its position among the webhooks of the configuration with the same name makes it unique. */
  readonly uid: string;
  readonly criteria: Criteria;
  /** Undefined without conditions. */
  readonly conditions: MatchConditions | undefined;
  readonly ignoresFailures: boolean;
  readonly sideEffects: string;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
  /** Whether it is called again after a later change of the object. */
  readonly isReinvocable: boolean;
  readonly clientConfig: JsonObject;
}

/** The webhooks of configurations, which are sorted by name. Those of a configuration are read once. */
export class Hooks {
  readonly #environment: () => Environment;
  readonly #known = new WeakMap<KubeObject, readonly Hook[]>();
  #configurations: readonly KubeObject[] = [];
  #hooks: readonly Hook[] = [];

  /** `environment` is that of the match conditions. */
  constructor(environment: () => Environment) {
    this.#environment = environment;
  }

  of(configurations: readonly KubeObject[]): readonly Hook[] {
    if (configurations === this.#configurations) return this.#hooks;
    this.#configurations = configurations;
    this.#hooks = configurations.flatMap((configuration) => {
      const hooks = this.#known.get(configuration) ?? this.#read(configuration);
      this.#known.set(configuration, hooks);
      return hooks;
    });
    return this.#hooks;
  }

  #read(configuration: KubeObject): readonly Hook[] {
    const counts = new Map<string, number>();
    const { name: configurationName = "" } = configuration.metadata;
    return listAt(configuration, "webhooks").map((hook) => {
      const name = textAt(hook, "name");
      const position = counts.get(name) ?? 0;
      counts.set(name, position + 1);
      return this.#hookOf(hook, configurationName, `${configurationName}/${name}/${position}`);
    });
  }

  #hookOf(hook: JsonObject, configuration: string, uid: string): Hook {
    const conditions = listAt(hook, "matchConditions");
    return {
      name: textAt(hook, "name"),
      configuration,
      uid,
      criteria: webhookCriteria(hook),
      conditions: conditions.length === 0 ? undefined : matchConditions(conditions, this.#environment()),
      ignoresFailures: textAt(hook, "failurePolicy") === "Ignore",
      sideEffects: textAt(hook, "sideEffects"),
      timeoutSeconds: Number(integerAt(hook, "timeoutSeconds")),
      reviewVersions: textsAt(hook, "admissionReviewVersions"),
      isReinvocable: textAt(hook, "reinvocationPolicy") === "IfNeeded",
      clientConfig: structAt(hook, "clientConfig"),
    };
  }
}
