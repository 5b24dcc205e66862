import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import { structAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import { combinedTrust, type OwnTrust } from "./combined-trust.ts";
import type { ControllerClient } from "./contract/controller.ts";

/** How the server authenticates, and what it publishes that with. */
export interface AuthenticationTrust extends OwnTrust {
  /** Whether the authorities can change: functions return them. */
  readonly canChange: boolean;
  readonly lister: Lister;
  /** The server's own client. */
  readonly client: ControllerClient;
}

const configMaps = { group: "", resource: "configmaps" };
const namespaces = { group: "", resource: "namespaces" };
const namespace = "kube-system";
const name = "extension-apiserver-authentication";

/** How often the server looks whether its authorities have changed. */
const period = 60_000;

/**
 * Brings the ConfigMap up to date. Returns the milliseconds until the next look; undefined if only a change of the ConfigMap or its
 * namespace can make a difference: upstream looks every minute, and finds the same. `now` is in milliseconds since the epoch.
 */
export async function publishTrust(trust: AuthenticationTrust, now: number): Promise<number | undefined> {
  const { lister, client, canChange } = trust;
  const found = lister.get(configMaps, namespace, name);
  const minute = canChange ? period : undefined;
  if (found === undefined && lister.get(namespaces, "", namespace) === undefined) return minute;
  const present = found === undefined ? {} : structAt(found, "data");
  const combined = combinedTrust(present, trust, now);
  if (combined === undefined) return minute;
  const { data, end } = combined;
  if (!isEqual(present, data)) await write(client, found, data);
  return minute ?? (end === Number.POSITIVE_INFINITY ? undefined : end - now);
}

async function write(
  client: ControllerClient,
  found: JsonObject | undefined,
  data: JsonObject,
): Promise<void> {
  if (found !== undefined) {
    await client.update({ ...found, data });
    return;
  }
  const manifest = { kind: "ConfigMap", apiVersion: "v1", metadata: { name, namespace }, data };
  await client.create(manifest).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Compares objects of texts. */
function isEqual(one: JsonObject, other: JsonObject): boolean {
  const keys = Object.keys(other);
  return keys.length === Object.keys(one).length && keys.every((key) => one[key] === other[key]);
}
