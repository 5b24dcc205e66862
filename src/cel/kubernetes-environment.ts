import {
  type AnyRelease,
  type Release,
  releaseBefore,
  type Since,
  sinceOf,
} from "../apimachinery/release.ts";
import type { Library } from "./environment/declarations.ts";
import { type Environment, environmentOf, extendedEnvironment } from "./environment/environment.ts";
import { twoVariableComprehensions } from "./libraries/extensions/comprehensions.ts";
import { extendedLists } from "./libraries/extensions/lists.ts";
import { optionals } from "./libraries/extensions/optionals.ts";
import { sets } from "./libraries/extensions/sets.ts";
import { stringFormatting, strings } from "./libraries/extensions/strings.ts";
import { cidrs, ips } from "./libraries/kubernetes/addresses.ts";
import { authorization, authorizationSelectors } from "./libraries/kubernetes/authorizers.ts";
import { namedFormats } from "./libraries/kubernetes/formats.ts";
import { lists } from "./libraries/kubernetes/lists.ts";
import { quantities } from "./libraries/kubernetes/quantities.ts";
import { regexFunctions } from "./libraries/kubernetes/regex-functions.ts";
import { semvers } from "./libraries/kubernetes/semvers.ts";
import { urls } from "./libraries/kubernetes/urls.ts";
import { crossTypeLibrary, standardLibrary } from "./libraries/standard/standard-library.ts";
import type { CelType } from "./types/cel-type.ts";

/** The environment of an expression in Kubernetes. */
export interface KubernetesEnvironmentOptions {
  /** The release of the server. */
  readonly release: Release;
  /**
   * Whether the expression is new: then it may use what the release before has, so that a rollback finds nothing it
   * does not know. A stored expression may use everything.
   */
  readonly expressions: "new" | "stored";
  readonly variables?: Iterable<readonly [name: string, type: CelType]>;
  /** The types that an expression can construct, such as `Object` in mutating admission policies. */
  readonly objectTypes?: Iterable<CelType>;
  /**
   * What the functions cost that cel-go does not have: `one`, whatever they read, without the gates StrictCostEnforcementForVAP and
   * StrictCostEnforcementForWebhooks. Default: `full`.
   */
  readonly libraryCosts?: "full" | "one";
  /** Further libraries, such as that of JSON patches in mutating admission policies. Default: none. */
  readonly extensions?: readonly Library[];
}

/** The libraries whose functions have their costs from cel-go itself. */
const costedByCel: ReadonlySet<string> = new Set(["standard", "cross-type comparison", "format"]);

/** A library, and the first release that has it (apiserver, pkg/cel/environment/base.go). */
type ReleasedLibrary = readonly [since: AnyRelease, name: string, library: (since: Since) => Library];

/** The libraries in the order in which releases brought them. */
export const kubernetesLibraries: readonly ReleasedLibrary[] = [
  ["1.0", "standard", () => standardLibrary],
  ["1.0", "strings", () => strings],
  ["1.0", "urls", () => urls],
  ["1.0", "regex", () => regexFunctions],
  ["1.0", "lists", () => lists],
  ["1.27", "authorizer", () => authorization],
  ["1.28", "cross-type comparison", () => crossTypeLibrary],
  ["1.28", "optionals", () => optionals],
  ["1.28", "quantity", () => quantities],
  ["1.29", "format", () => stringFormatting("localized")],
  ["1.29", "sets", () => sets],
  ["1.30", "ip", () => ips],
  ["1.30", "cidr", () => cidrs],
  ["1.31", "named formats", namedFormats],
  ["1.31", "authorizer selectors", () => authorizationSelectors],
  ["1.32", "two-variable comprehensions", () => twoVariableComprehensions],
  ["1.33", "semver", () => semvers],
  ["1.34", "extended lists", () => extendedLists],
];

/**
 * The environments without variables, which take far longer to compose than an expression to compile (bench/cel.bench.ts).
 * There are at most three for each release.
 */
const baseEnvironments = new Map<string, Environment>();

function baseEnvironment(
  release: Release,
  expressions: "new" | "stored",
  libraryCosts: "full" | "one",
): Environment {
  const key = `${release} ${expressions} ${libraryCosts}`;
  const known = baseEnvironments.get(key);
  if (known !== undefined) return known;
  const has = sinceOf<AnyRelease>(expressions === "new" ? releaseBefore(release) : release);
  const since = sinceOf(release);
  const environment = environmentOf({
    libraries: kubernetesLibraries
      .filter(([first]) => has(first))
      .map(([, name, library]) =>
        libraryCosts === "full" || costedByCel.has(name) ? library(since) : withoutCosts(library(since)),
      ),
    optionalSyntax: has("1.28"),
    escapedIdentifiers: false,
    homogeneousLiterals: true,
    literalValidation: has("1.29"),
    presenceTestHasCost: false,
  });
  baseEnvironments.set(key, environment);
  return environment;
}

function withoutCosts(library: Library): Library {
  const functions = library.functions.map(({ name, overloads }) => ({
    name,
    overloads: overloads.map(({ cost: _, ...overload }) => overload),
  }));
  return { ...library, functions };
}

/** The environment of an expression in a release of Kubernetes. */
export function kubernetesEnvironment(options: KubernetesEnvironmentOptions): Environment {
  const { release, expressions, variables = [], objectTypes = [], extensions = [] } = options;
  const { libraryCosts = "full" } = options;
  return extendedEnvironment(baseEnvironment(release, expressions, libraryCosts), {
    libraries: extensions,
    variables,
    objectTypes,
  });
}
