import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import type { ApiServerFunction } from "../webhooks/api-server-function.ts";
import type { OutgoingTargets, TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { ClusterClient } from "./client.ts";

const apiVersion = "apiregistration.k8s.io/v1";

const serverFunction: OptionType = {
  accepts: "a function that answers requests; cluster.serviceAt says where a server is",
  isValid: (value) => typeof value === "function",
};

/**
 * Lets a function answer for an APIService, which is created if it is missing: with the priorities of metrics-server, and a Service
 * that need not exist.
 * @throws {Error} for a name that is not `<version>.<group>`, and for no function; a StatusError if the server refuses the APIService
 */
export async function registerApiService(
  name: string,
  server: ApiServerFunction,
  client: Pick<ClusterClient, "get" | "create">,
  targets: OutgoingTargets,
): Promise<TargetHandle> {
  const [, version, group] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  if (version === undefined || group === undefined) {
    throw new Error(
      `apiServer: ${JSON.stringify(name)} must be <version>.<group>, such as "v1beta1.metrics.k8s.io"`,
    );
  }
  checkValue(`apiServer: the server of ${name}`, server, serverFunction);
  const handle = targets.apiServers.add(name, server);
  try {
    await ensureApiService({ name, group, version }, client);
  } catch (error) {
    handle.remove();
    throw error;
  }
  return handle;
}

async function ensureApiService(
  { name, group, version }: { readonly name: string; readonly group: string; readonly version: string },
  client: Pick<ClusterClient, "get" | "create">,
): Promise<void> {
  try {
    await client.get(apiVersion, "APIService", name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const service = { namespace: "default", name: name.replaceAll(".", "-"), port: 443 };
    const trust = { insecureSkipTLSVerify: true };
    const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
    const spec = { group, version, service, ...trust, ...priorities };
    await client.create({ apiVersion, kind: "APIService", metadata: { name }, spec });
  }
}
