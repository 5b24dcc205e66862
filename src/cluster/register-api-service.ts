import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import type { GroupVersion } from "../apimachinery/group-version.ts";
import { checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import type { ApiServerFunction } from "../webhooks/api-server-function.ts";
import type { OutgoingTargets, OwnApiServer, TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { ClusterClient } from "./client.ts";

const apiVersion = "apiregistration.k8s.io/v1";

const serverFunction: OptionType = {
  accepts: "a function that answers requests; cluster.serviceAt says where a server is",
  isValid: (value) => typeof value === "function",
};

/** What an APIService is created with. */
type ApiServiceClient = Pick<ClusterClient, "get" | "create">;

/** The cluster of an APIService. */
interface ServingCluster {
  readonly targets: OutgoingTargets;
  admin(): ApiServiceClient;
  settle(): Promise<void>;
}

/**
 * Lets a function of a test answer for an APIService, which is created if it is missing, and waits until the function has been asked.
 * @throws {Error} for a name that is not `<version>.<group>`, and for no function; a StatusError if the server refuses the APIService
 */
export async function registerApiService(
  name: string,
  server: ApiServerFunction,
  cluster: ServingCluster,
): Promise<TargetHandle> {
  parseName(name);
  checkValue(`apiServer: the server of ${name}`, server, serverFunction);
  const handle = await addApiServer(name, (request) => server(request), cluster.admin(), cluster.targets);
  await cluster.settle();
  return handle;
}

/**
 * Lets a server answer for an APIService, which is created if it is missing: with the priorities of metrics-server, and a Service
 * that need not exist.
 * @throws {Error} for a name that is not `<version>.<group>`; a StatusError if the server refuses the APIService
 */
export async function addApiServer(
  name: string,
  server: OwnApiServer,
  client: ApiServiceClient,
  targets: OutgoingTargets,
): Promise<TargetHandle> {
  const gv = parseName(name);
  const handle = targets.apiServers.add(name, server);
  try {
    await ensureApiService(name, gv, client);
  } catch (error) {
    handle.remove();
    throw error;
  }
  return handle;
}

function parseName(name: string): GroupVersion {
  const [, version, group] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  if (version !== undefined && group !== undefined) return { group, version };
  throw new Error(
    `apiServer: ${JSON.stringify(name)} must be <version>.<group>, such as "v1beta1.metrics.k8s.io"`,
  );
}

async function ensureApiService(
  name: string,
  { group, version }: GroupVersion,
  client: ApiServiceClient,
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
