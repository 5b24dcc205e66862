import type { LoggedRequest } from "./logged-request.ts";
import type { RequestScope } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The call that a test would write so that the failure matches this request: the members of the scope that it missed take
 * the values of the request. Undefined if the failure cannot affect the request.
 */
export function callFor(
  { name, definition = {}, options, scope, need }: Scenario,
  missed: readonly (keyof RequestScope)[],
  request: LoggedRequest,
): string | undefined {
  // Faults see a request only after its authentication.
  if (request.user === "") return undefined;
  if (definition.verbs?.includes(request.verb) === false) return undefined;
  if (need?.holds(request, undefined) === false) return undefined;
  const { without = [], argument } = definition;
  // The failure makes its path from a group and a version.
  const members = missed.flatMap((member) =>
    without.includes(member) ? (["group", "version"] as const) : [member],
  );
  if (members.includes("version") && request.group === "") return undefined;
  const changed = members.map((member) => [member, request[member]] as const);
  const all = new Map<string, unknown>([...Object.entries(options ?? scope), ...changed]);
  const first = argument === undefined ? [] : [codeOf(all.get(argument))];
  const given = [...all].filter(([member, value]) => member !== argument && value !== undefined);
  const object = given.map(([member, value]) => `${member}: ${codeOf(value)}`).join(", ");
  return `${name}(${[...first, ...(object === "" ? [] : [`{ ${object} }`])].join(", ")})`;
}

function codeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
