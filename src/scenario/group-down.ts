import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { ApiResponse } from "../request/handler.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { name } from "./failure-option-types.ts";
import { escaped, plainAnswer } from "./plain-answer.ts";
import { piecesOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** The definition of the failure in this file. */
export const groupOutages: FailureDefinitions<"groupDown"> = {
  groupDown: { options: { group: name, version: name }, without: ["group", "path"] },
};

/** Which API group is down. */
export interface GroupDownOptions extends Omit<ScenarioOptions, "group" | "path"> {
  /** The cluster need not serve it otherwise. Default: `metrics.k8s.io`. */
  readonly group?: string;
  /** Default: `v1beta1`. */
  readonly version?: string;
}

/**
 * Takes down the server behind an aggregated API: requests to its version answer 503, the group list still names it, and
 * aggregated discovery marks it as stale. An APIService for it is not available meanwhile. Faithful on every transport.
 */
export function groupDown(options: GroupDownOptions = {}): Scenario {
  const { group = "metrics.k8s.io", version = "v1beta1" } = options;
  const within = `/apis/${group}/${version}`;
  const path = new RegExp(`^/apis/?$|^${escaped(within)}(/|$)`);
  const effect: Scenario["effect"] = async ({ request, answer, missed, real }) => {
    const name = real(group);
    if (request.path.startsWith(`/apis/${name}/${version}`)) return plainAnswer(503, "service unavailable\n");
    const answered = await answer();
    const named = await namingStale(answered, name, version);
    if (named === undefined)
      missed("it needs aggregated discovery in JSON, or a list of groups without this group");
    return named ?? answered;
  };
  return scenario("groupDown", groupOutages.groupDown, options, effect, {
    scope: { path },
    begin: ({ takeDown }) => takeDown({ group, version }),
  });
}

/** The JSON document of all groups with the group that is down added; undefined if that changes nothing. */
async function namingStale(
  answer: ApiResponse,
  group: string,
  version: string,
): Promise<ApiResponse | undefined> {
  const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  if (answer.status !== 200 || !contentType.startsWith("application/json")) return undefined;
  const document: JsonValue = JSON.parse(await textOf(answer));
  if (!isJsonObject(document)) return undefined;
  const named =
    "items" in document ? withItem(document, group, version) : withGroup(document, group, version);
  if (named === document) return undefined;
  // The content has changed, so its ETag no longer applies.
  const headers = answer.headers.filter(([name]) => name !== "Etag");
  return { ...answer, headers, body: new TextEncoder().encode(`${JSON.stringify(named)}\n`) };
}

function withItem(document: JsonObject, group: string, version: string): JsonObject {
  const stale = { version, freshness: "Stale" };
  const items = objectsIn(document["items"]);
  const isIt = (item: JsonObject) => isJsonObject(item["metadata"]) && item["metadata"]["name"] === group;
  const known = items.map((item) => {
    if (!isIt(item)) return item;
    const others = objectsIn(item["versions"]).filter((one) => one["version"] !== version);
    return { ...item, versions: [stale, ...others] };
  });
  if (items.some(isIt)) return { ...document, items: known };
  return { ...document, items: [...items, { metadata: { name: group }, versions: [stale] }] };
}

function withGroup(document: JsonObject, group: string, version: string): JsonObject {
  const groups = objectsIn(document["groups"]);
  if (groups.some(({ name }) => name === group)) return document;
  const preferredVersion = { groupVersion: `${group}/${version}`, version };
  return {
    ...document,
    groups: [...groups, { name: group, versions: [preferredVersion], preferredVersion }],
  };
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

async function textOf({ body }: ApiResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of piecesOf(body)) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}
