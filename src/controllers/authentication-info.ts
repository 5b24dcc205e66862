import type { Clock } from "../apimachinery/clock.ts";
import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import { structAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { PublishedTrust } from "./combined-trust.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

/** How the server authenticates, and what it publishes that with. */
export interface AuthenticationTrust extends PublishedTrust {
  readonly lister: Lister;
  /** The server's own client. */
  readonly client: ControllerClient;
}

const configMaps = { group: "", resource: "configmaps" };
const namespaces = { group: "", resource: "namespaces" };
const namespace = "kube-system";
const name = "extension-apiserver-authentication";

/** How often the server looks whether its authorities have changed. */
const milliseconds = 60_000;

/**
 * Publishes to extension API servers how this server authenticates. It adds to what the ConfigMap has, which may be of other servers.
 * Upstream: pkg/controlplane/controller/clusterauthenticationtrust.
 */
export function authenticationInfo(trust: AuthenticationTrust, clock: Clock): Controller {
  const { lister, client, clientCa, requestHeader } = trust;
  const isNeeded = clientCa !== undefined || requestHeader !== undefined;
  return {
    name: "cluster-authentication-info-controller",
    queuesOf: () => ["cluster_authentication_trust_controller"],
    kinds: ["Namespace", "ConfigMap"],
    observe: ({ object: { kind, metadata } }) => {
      if (!isNeeded) return [];
      const isOurs =
        (kind === "Namespace" && metadata.name === namespace) ||
        (kind === "ConfigMap" && metadata.name === name && metadata.namespace === namespace);
      return isOurs ? [name] : [];
    },
    reconcile: async () => {
      const found = lister.get(configMaps, namespace, name);
      if (found === undefined && lister.get(namespaces, "", namespace) === undefined) return milliseconds;
      const { combinedTrust } = await import("./combined-trust.ts");
      const present = found === undefined ? {} : structAt(found, "data");
      const data = combinedTrust(present, trust, clock.now());
      if (data === undefined || isEqual(present, data)) return milliseconds;
      await write(client, found, data);
      return milliseconds;
    },
  };
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
