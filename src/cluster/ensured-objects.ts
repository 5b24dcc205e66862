import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import { structAt, textAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { formatTime, timeMilliseconds } from "../apimachinery/time.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ControllerClient } from "../controllers/contract/controller.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { type BootstrapOptions, completeSeed, type Seed, seedOfService, seeds } from "./bootstrap.ts";
import { type FlowControlChange, flowControlChanges, isMandatory } from "./flow-control-ensurer.ts";
import { createServiceCidr } from "./service-cidrs.ts";

const apiserver: UserInfo = { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: {} };
const agent = "kube-apiserver";
const flowControlAgent = "api-priority-and-fairness-config-producer-v1";

/** How often a server looks for its namespaces and its objects of priority and fairness. */
const period = 60_000;
/** How often a server creates the ConfigMap about legacy tokens at most. */
const creationPeriod = 30 * 60_000;

/** What a server has to look after its objects. */
export interface EnsuringServer {
  readonly objects: StoredObjects;
  readonly options: BootstrapOptions;
  readonly clientOf: (user: UserInfo, agent: string) => ControllerClient;
}

type Write = () => Promise<unknown>;

/**
 * Creates and mends the objects that a server keeps. Resolves to the milliseconds until it has to look again, if there is
 * something to do: a loop of upstream that looks every minute finds it a minute after it was changed. `due` says when that is, by kind.
 */
export async function ensureObjects(
  server: EnsuringServer,
  kind: string,
  due: Map<string, number>,
): Promise<number | undefined> {
  if (kind === "ConfigMap") return ensureTokenTracking(server, due);
  const ofService = seedOfService(kind, server.options);
  if (ofService !== undefined) await createService(ofService, server);
  else if (kind === "ServiceCIDR") createServiceCidr(server);
  else return ensureEveryMinute(kind, server, due);
  return undefined;
}

/** Creates the Service of the API, its Endpoints or its EndpointSlice unless it exists. */
async function createService(seed: Seed, { objects, options, clientOf }: EnsuringServer): Promise<void> {
  if (objects.get(seed, "default", "kubernetes") !== undefined) return;
  const complete = completeSeed(seed, options);
  // Validation would refuse endpoints with an address of the loopback.
  if (complete.kind === "Service") await created(clientOf(apiserver, agent), manifestOfService(complete));
  else objects.put(seed, complete);
}

/** The Service as a server creates it again: it sends only the address, and defaulting sets the rest. */
function manifestOfService({ status: _, metadata, ...object }: KubeObject): KubeObject {
  const { clusterIPs: _addresses, ipFamilies: _families, ...spec } = structAt(object, "spec");
  const { name, namespace, labels } = metadata;
  // The rest has kind and apiVersion.
  return { ...object, metadata: { name, namespace, labels }, spec } as KubeObject;
}

async function ensureEveryMinute(
  kind: string,
  server: EnsuringServer,
  due: Map<string, number>,
): Promise<number | undefined> {
  const writes = kind === "Namespace" ? namespaceWrites(server) : flowControlWrites(server);
  const now = server.options.clock.now();
  const time = due.get(kind) ?? now + period;
  due.delete(kind);
  if (writes.length === 0) return undefined;
  if (time <= now && (await succeed(writes))) return undefined;
  const next = time <= now ? now + period : time;
  due.set(kind, next);
  return next - now;
}

async function succeed(writes: readonly Write[]): Promise<boolean> {
  try {
    for (const write of writes) await write();
    return true;
  } catch {
    return false;
  }
}

/** Upstream: pkg/controlplane/controller/systemnamespaces; before 1.27, the bootstrap controller. */
function namespaceWrites({ objects, options, clientOf }: EnsuringServer): readonly Write[] {
  return seeds(options)
    .filter(({ object }) => object.kind === "Namespace")
    .filter((seed) => objects.get(seed, "", seed.object.metadata.name ?? "") === undefined)
    .map(
      ({ object: { metadata } }) =>
        () =>
          created(clientOf(apiserver, agent), {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: { name: metadata.name ?? "" },
          }),
    );
}

/**
 * Before 1.22, a server looks after the mandatory objects only. Upstream: pkg/registry/flowcontrol/rest/storage_flowcontrol.go.
 */
function flowControlWrites({ objects, options, clientOf }: EnsuringServer): readonly Write[] {
  const since = sinceOf(options.catalog.release);
  const wanted = seeds(options).filter((seed) => since("1.22") || isMandatory(seed));
  return flowControlChanges(wanted, objects, since).map(
    (change) => () => written(change, clientOf(apiserver, flowControlAgent)),
  );
}

function written(change: FlowControlChange, client: ControllerClient): Promise<unknown> {
  switch (change.type) {
    case "create": {
      const { status: _, metadata, ...manifest } = change.seed.object;
      const { name = "", annotations } = metadata;
      return created(client, { ...manifest, metadata: { name, ...(annotations && { annotations }) } });
    }
    case "update":
      return client.update(change.object);
    case "remove": {
      const { apiVersion, kind, metadata } = change.object;
      return client.delete(apiVersion, kind, metadata.name ?? "");
    }
  }
}

async function created(
  client: ControllerClient,
  object: Parameters<ControllerClient["create"]>[0],
): Promise<void> {
  await client.create(object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/**
 * Creates the ConfigMap about the use of legacy tokens again, and mends its date. Upstream: pkg/controlplane/controller/legacytokentracking.
 */
async function ensureTokenTracking(
  { objects, options, clientOf }: EnsuringServer,
  due: Map<string, number>,
): Promise<number | undefined> {
  const seed = seeds(options).find(
    ({ object }) => object.kind === "ConfigMap" && textAt(object, "data", "since") !== "",
  );
  if (seed === undefined) return undefined;
  const { name = "", namespace = "" } = seed.object.metadata;
  const now = options.clock.now();
  const data = { since: formatTime(now).slice(0, 10) };
  const stored = objects.get(seed, namespace, name);
  const client = clientOf(apiserver, agent);
  if (stored !== undefined) {
    const known = stored["data"];
    if (!isDate(textAt(stored, "data", "since")))
      await client.update({ ...stored, data: { ...Object(known), ...data } });
    return undefined;
  }
  const left = (due.get("ConfigMap") ?? firstCreation(objects) + creationPeriod) - now;
  if (left > 0) return left;
  const { apiVersion, kind } = seed.object;
  await created(client, { apiVersion, kind, metadata: { name, namespace }, data });
  due.set("ConfigMap", now + creationPeriod);
  return undefined;
}

/** The ConfigMap of a new cluster is as old as its namespace. */
function firstCreation(objects: StoredObjects): number {
  const namespace: KubeObject | undefined = objects.get(
    { group: "", resource: "namespaces" },
    "",
    "kube-system",
  );
  return timeMilliseconds(namespace?.metadata.creationTimestamp ?? "1970-01-01T00:00:00Z");
}

/** Whether Go parses a text as a date in the form `2006-01-02`. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && formatTime(time).startsWith(text);
}
