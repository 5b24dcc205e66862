import { StatusError } from "../apimachinery/errors.ts";
import { formatGroupVersion, type GroupVersion, parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import type { Status } from "../apimachinery/status.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { encodeJson, parseJson } from "../codec/json.ts";
import type { Handler } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { plainRequest, readResponseBody } from "../request/plain-request.ts";

/**
 * Creates manifests, and replaces those that are there. Lists are taken apart, namespaces come first.
 * @throws {StatusError} the server's refusal of the first that it refuses
 */
export async function loadObjects(
  objects: readonly JsonObject[],
  handler: Handler,
  token: string,
  catalog: Catalog,
): Promise<void> {
  const manifests = objects.flatMap(itemsOf);
  const isNamespace = (object: JsonObject) => object["kind"] === "Namespace";
  const ordered = [...manifests.filter(isNamespace), ...manifests.filter((object) => !isNamespace(object))];
  for (const object of ordered) await loadObject(object, handler, token, catalog);
}

function itemsOf(object: JsonObject): readonly JsonObject[] {
  const { kind, items } = object;
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return [object];
  const { apiVersion = "" } = object;
  const itemKind = kind === "List" ? {} : { kind: kind.slice(0, -"List".length), apiVersion };
  return items.filter(isJsonObject).flatMap((item) => itemsOf({ ...itemKind, ...item }));
}

async function loadObject(
  object: JsonObject,
  handler: Handler,
  token: string,
  catalog: Catalog,
): Promise<void> {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const resource = resourceOf(object, catalog);
  const namespace = typeof metadata["namespace"] === "string" ? metadata["namespace"] : "default";
  const collection = collectionPath(resource, namespace);
  const { resourceVersion: _, uid: __, ...rest } = metadata;
  const fresh = { ...object, metadata: rest };
  const send = (method: string, target: string) => ask(handler, token, method, target, fresh);
  const refusal = await send("POST", collection);
  if (refusal === undefined) return;
  const isThere = refusal.reason === "AlreadyExists" && typeof metadata["name"] === "string";
  const second = isThere ? await send("PUT", `${collection}/${metadata["name"]}`) : refusal;
  if (second !== undefined) throw new StatusError(second);
}

function resourceOf(object: JsonObject, catalog: Catalog): ApiResource {
  const { apiVersion, kind } = object;
  const gv: GroupVersion | undefined =
    typeof apiVersion === "string" ? parseGroupVersion(apiVersion) : undefined;
  const found = gv && catalog.resources(gv).find((resource) => resource.kind === kind);
  if (found !== undefined) return found;
  throw new Error(`release ${catalog.release} serves no kind ${String(kind)} in ${String(apiVersion)}`);
}

function collectionPath(resource: ApiResource, namespace: string): string {
  const root = resource.group === "" ? "/api" : "/apis";
  const within = resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}/${formatGroupVersion(resource)}${within}/${resource.resource}`;
}

/** The Status of a refusal; undefined when the server did what was asked. */
async function ask(
  handler: Handler,
  token: string,
  method: string,
  target: string,
  object: JsonObject,
): Promise<Status | undefined> {
  const headers = new Map([
    ["authorization", `Bearer ${token}`],
    ["content-type", "application/json"],
    ["user-agent", "kubedouble"],
  ]);
  const body = new TextEncoder().encode(encodeJson(object));
  const response = await handler(plainRequest({ method, target, headers, body }), inProcessPeer);
  if (response.status < 400) return undefined;
  const answer = parseJson(await readResponseBody(response.body));
  // A failure's body is a Status, and it was asked for in JSON.
  return answer as Status & typeof answer;
}
