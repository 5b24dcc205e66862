import { nearestName } from "../apimachinery/nearest-name.ts";
import { acceptedBy, accepts, meantBy, type OptionType, type OptionTypes } from "./option-type.ts";
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

const text: OptionType = { type: "text" };

const commonOptions: Readonly<Record<keyof ScenarioOptions, OptionType>> = {
  verb: { type: "textOrList" },
  group: text,
  resource: { type: "textOrList" },
  subresource: text,
  namespace: text,
  name: text,
  path: { type: "path" },
  user: text,
  userAgent: { type: "pattern" },
  nth: { type: "integer", least: 1 },
  times: { type: "integer", least: 1, isUnlimited: true },
  lasting: { type: "duration" },
};

/** Every option that a failure accepts. */
export function optionTypesOf({ options = {}, without = [] }: FailureDefinition): OptionTypes {
  const common = Object.entries(commonOptions).filter(([name]) => !without.some((one) => one === name));
  return { ...Object.fromEntries(common), ...options };
}

/**
 * Checks the options of a failure, which JavaScript and JSON do not.
 * @throws {Error} for an option or a value that it does not accept, and for a verb that it cannot affect
 */
export function checkOptions(name: string, definition: FailureDefinition, options: object): void {
  const types = optionTypesOf(definition);
  for (const [option, value] of Object.entries(options)) {
    const type = Object.hasOwn(types, option) ? types[option] : undefined;
    if (type === undefined) throw new Error(unknownOption(name, option, Object.keys(types)));
    if (value !== undefined && !accepts(type, value)) throw new Error(wrongValue(name, option, type, value));
  }
  const given = new Map(Object.entries(options));
  for (const [option, type] of Object.entries(types)) {
    if (type.isRequired === true && given.get(option) === undefined)
      throw new Error(`${name} needs the option ${option}: ${acceptedBy(type)}`);
  }
  checkVerbs(name, definition, given.get("verb"));
}

function unknownOption(name: string, option: string, known: readonly string[]): string {
  const nearest = nearestName(option, known);
  const advice = nearest === undefined ? `its options are ${known.join(", ")}` : `did you mean ${nearest}?`;
  return `${name} has no option ${option}; ${advice}`;
}

function wrongValue(name: string, option: string, type: OptionType, value: unknown): string {
  const meant = meantBy(type, value);
  const advice = meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  return `${name}: ${option} is ${shown(value)}, but must be ${acceptedBy(type)}${advice}`;
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null && !(value instanceof RegExp)) return JSON.stringify(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function checkVerbs(name: string, { verbs }: FailureDefinition, given: unknown): void {
  const wanted: readonly unknown[] = Array.isArray(given) ? given : [given];
  for (const verb of wanted) {
    if (typeof verb !== "string") continue;
    if (!knownVerbs.some((one) => one === verb)) {
      const nearest = nearestName(verb, knownVerbs);
      const advice =
        nearest === undefined ? `the verbs are ${knownVerbs.join(", ")}` : `did you mean "${nearest}"?`;
      throw new Error(`${name}: there is no verb ${JSON.stringify(verb)}; ${advice}`);
    }
    if (verbs !== undefined && !verbs.includes(verb))
      throw new Error(`${name} cannot affect requests with the verb ${verb}, only ${listed(verbs)}`);
  }
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
