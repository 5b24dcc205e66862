import { type Cluster, type JsonObject, StatusError } from "../../src/index.ts";

/** A ConfigMap without data, unless `more` adds some. */
export function configMap(name: string, rest: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...rest };
}

/** A Pod with a container. */
export function pod(name: string): JsonObject {
  const containers = [{ name: "main", image: "nginx" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers } };
}

/** A Deployment of pods with a container. */
export function deployment(name: string): JsonObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec };
}

/** The StatusError that a call throws. */
export async function refusalOf(call: Promise<unknown>): Promise<StatusError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw new Error("the call should have been refused", { cause: error });
  return error;
}

/** The names of the objects of a kind in the namespace `default`. */
export async function names(cluster: Cluster, kind: string): Promise<readonly (string | undefined)[]> {
  const { items } = await cluster.list("v1", kind, { namespace: "default" });
  return items.map(({ metadata }) => metadata.name);
}
