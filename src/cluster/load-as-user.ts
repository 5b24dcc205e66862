import { StatusError } from "../apimachinery/errors/errors.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { StatusReason } from "../apimachinery/status.ts";
import type { ObjectOptions } from "./client-options.ts";
import type { Manifest, ManifestText } from "./seeding/manifest.ts";
import { parseEntries } from "./seeding/manifest-text.ts";

/** How often a manifest is written again after a conflict; the default of client-go. */
const replaceAttempts = 5;

/** The part of a user's client that loads manifests. */
interface Writer {
  create(object: object): Promise<unknown>;
  get(apiVersion: string, kind: string, name: string, options: ObjectOptions): Promise<KubeObject>;
  update(object: object): Promise<unknown>;
}

/**
 * Creates the missing objects of these manifests and replaces the existing ones, namespaces first.
 * @throws {StatusError} the refusal of the first refused object
 */
export async function loadAsUser(
  client: Writer,
  entries: readonly (Manifest | ManifestText)[],
): Promise<void> {
  const objects = parseEntries(entries).map(({ object }) => object);
  const isNamespace = ({ kind }: JsonObject) => kind === "Namespace";
  const others = objects.filter((object) => !isNamespace(object));
  for (const object of [...objects.filter(isNamespace), ...others]) await load(client, object);
}

async function load(client: Writer, object: JsonObject): Promise<void> {
  const { resourceVersion: _, uid: __, ...metadata } = metadataOf(object);
  const fresh = { ...object, metadata };
  try {
    await client.create(fresh);
  } catch (error) {
    if (!isRefusal(error, "AlreadyExists") || typeof metadata["name"] !== "string") throw error;
    await replace(client, fresh, replaceAttempts);
  }
}

/** Adds the current resourceVersion, which some kinds require for a replacement. */
async function replace(client: Writer, object: JsonObject, attempts: number): Promise<void> {
  const { apiVersion, kind } = object;
  const metadata = metadataOf(object);
  const { name, namespace } = metadata;
  const where = typeof namespace === "string" ? { namespace } : {};
  const live = await client.get(String(apiVersion), String(kind), String(name), where);
  const { resourceVersion = "" } = live.metadata;
  try {
    await client.update({ ...object, metadata: { ...metadata, resourceVersion } });
  } catch (error) {
    if (!isRefusal(error, "Conflict") || attempts <= 1) throw error;
    await replace(client, object, attempts - 1);
  }
}

function isRefusal(error: unknown, reason: StatusReason): boolean {
  return error instanceof StatusError && error.status.reason === reason;
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
