import { concatenate } from "../../apimachinery/bytes.ts";
import { booleanAt, listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import { parseJson } from "../../codec/json/json.ts";
import type { RemoteResponse } from "./remote-server.ts";

/** The resources of a group and version in the form of aggregated discovery. */
export type DiscoveredResources = readonly JsonObject[];

/** The media type of aggregated discovery. Upstream: client-go, discovery_client.go, AcceptV2. */
export const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Whether an answer is aggregated discovery. */
export function isAggregated({ headers }: RemoteResponse): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const parts = type.split(";").map((part) => part.trim());
  return aggregatedType.split(";").every((part) => parts.includes(part));
}

/** The resources of a version in an aggregated document; none if the document does not have it. */
export function resourcesOfAggregated(
  document: JsonObject,
  { group, version }: GroupVersion,
): DiscoveredResources {
  const item = listAt(document, "items").find((one) => textAt(one, "metadata", "name") === group);
  const found = item && listAt(item, "versions").find((one) => textAt(one, "version") === version);
  return found === undefined ? [] : listAt(found, "resources").map(withKinds);
}

/** Clients expect every kind: kubernetes/kubernetes#118361. */
function withKinds(resource: JsonObject): JsonObject {
  const none = { group: "", version: "", kind: "" };
  const subresources = listAt(resource, "subresources").map((one) => ({ responseKind: none, ...one }));
  return { responseKind: none, ...resource, ...(subresources.length > 0 && { subresources }) };
}

/**
 * The resources of an APIResourceList. Upstream: apiserver, pkg/endpoints/installer.go, ConvertGroupVersionIntoToDiscovery.
 */
export function resourcesOfList(list: JsonObject): DiscoveredResources {
  const resources = new Map<string, JsonObject & { subresources: JsonObject[] }>();
  const entries = listAt(list, "resources");
  for (const entry of entries.filter((one) => !textAt(one, "name").includes("/"))) {
    const name = textAt(entry, "name");
    const shortNames = textsAt(entry, "shortNames");
    const categories = textsAt(entry, "categories");
    resources.set(name, {
      resource: name,
      responseKind: kindOf(entry),
      scope: booleanAt(entry, "namespaced") ? "Namespaced" : "Cluster",
      singularResource: textAt(entry, "singularName"),
      verbs: [...textsAt(entry, "verbs")],
      ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
      ...(categories.length > 0 && { categories: [...categories] }),
      subresources: [],
    });
  }
  for (const entry of entries) {
    const [name = "", subresource] = textAt(entry, "name").split("/");
    if (subresource === undefined) continue;
    resources
      .get(name)
      ?.subresources.push({ subresource, responseKind: kindOf(entry), verbs: [...textsAt(entry, "verbs")] });
  }
  return [...resources.values()].map(({ subresources, ...resource }) => ({
    ...resource,
    ...(subresources.length > 0 && { subresources }),
  }));
}

function kindOf(entry: JsonObject): JsonObject {
  const { group = "", version = "", kind = "" } = structAt({ entry }, "entry");
  return { group, version, kind };
}

/** The longest document that is read from another server. */
const longestDocument = 32 * 1024 * 1024;

/** The JSON object of an answer. @throws {Error} if it is none, or longer than any server's documents */
export async function documentOf({ body }: RemoteResponse): Promise<JsonObject> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(body)) {
    pieces.push(piece);
    length += piece.byteLength;
    if (length > longestDocument) throw new Error("the document is too long");
  }
  const document = parseJson(concatenate(pieces, length));
  if (!isJsonObject(document)) throw new Error("the document is not an object");
  return document;
}

async function* piecesOf(body: RemoteResponse["body"]): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}
