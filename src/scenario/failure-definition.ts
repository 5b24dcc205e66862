import { nearestName } from "../apimachinery/nearest-name.ts";
import { checkOptions, type OptionType, type OptionTypes } from "../apimachinery/option-checks.ts";
import { integerFrom, text } from "../apimachinery/option-types.ts";
import { duration, orInfinity, path, pattern, textOrTexts } from "./failure-option-types.ts";
import type { RequestScope } from "./request-matcher.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** What a failure accepts, and which requests it can affect. */
export interface FailureDefinition {
  /** The verbs of the requests that it can affect. Default: all. */
  readonly verbs?: readonly string[];
  /** The requests that it strikes unless options narrow or change them. Default: all. */
  readonly scope?: RequestScope;
  /** How many requests it strikes. Default: 1. */
  readonly times?: number;
  /** Its own options. */
  readonly options?: OptionTypes;
  /** The options of other failures that it does not have. */
  readonly without?: readonly (keyof ScenarioOptions)[];
  /** Whether reviews and `explain` see its effect: it takes a permission away. */
  readonly revokes?: true;
  /** The option that is not a member of an object, but the first argument of its function. */
  readonly argument?: string;
}

/** The definitions of several failures, by name. */
export type FailureDefinitions<Name extends string> = Readonly<Record<Name, FailureDefinition>>;

/** The RBAC verbs of resources, and the methods of non-resource paths in lower case. */
const knownVerbs = [
  ...["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy"],
  ...["post", "put", "head", "options"],
] as const;

const commonOptions: Readonly<Record<keyof ScenarioOptions, OptionType>> = {
  verb: textOrTexts,
  group: text,
  resource: textOrTexts,
  subresource: text,
  namespace: text,
  name: text,
  path,
  user: text,
  userAgent: pattern,
  nth: integerFrom(1),
  times: orInfinity(integerFrom(1)),
  lasting: duration,
};

/** Every option that a failure accepts. */
export function optionTypesOf({ options = {}, without = [] }: FailureDefinition): OptionTypes {
  const common = Object.entries(commonOptions).filter(([name]) => !without.some((one) => one === name));
  return { ...Object.fromEntries(common), ...options };
}

/**
 * Checks the options of a failure, which JavaScript and JSON do not.
 * @throws {TypeError} for an option or a value that it does not accept, and for a verb that it cannot affect
 */
export function checkFailureOptions(name: string, definition: FailureDefinition, options: object): void {
  checkOptions(name, options, optionTypesOf(definition));
  checkVerbs(name, definition, new Map(Object.entries(options)).get("verb"));
}

function checkVerbs(name: string, { verbs }: FailureDefinition, given: unknown): void {
  const wanted: readonly unknown[] = Array.isArray(given) ? given : [given];
  for (const verb of wanted) {
    if (typeof verb !== "string") continue;
    if (!knownVerbs.some((one) => one === verb)) {
      const nearest = nearestName(verb, knownVerbs);
      const advice =
        nearest === undefined ? `the verbs are ${knownVerbs.join(", ")}` : `did you mean "${nearest}"?`;
      throw new TypeError(`${name}: there is no verb ${JSON.stringify(verb)}; ${advice}`);
    }
    if (verbs !== undefined && !verbs.includes(verb))
      throw new TypeError(`${name} cannot affect requests with the verb ${verb}, only ${listed(verbs)}`);
  }
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
