import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, checkValue } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { parseRelease, type Release, releasesOnTheWay, sinceOf } from "../apimachinery/release.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { KindDefinition, KindRules } from "../registry/contract/kind-definition.ts";
import { type ReleaseReading, releaseReading } from "../registry/release-reading.ts";
import { ApiView } from "../served/api-view.ts";
import type { Store } from "../store/store.ts";
import { ValueReader } from "../store/value-reader.ts";
import {
  type Direction,
  type ReleaseChange,
  type ReleaseChangeOptions,
  type ReplicaOptions,
  releaseChangeOptionTypes,
  replicaOptionTypes,
  type UnreadableObject,
  type UnservedObject,
} from "./contract/release-change-options.ts";
import type { Config } from "./options.ts";
import type { ServerGroup } from "./server-group.ts";

/**
 * The releases through which a server goes, the wanted one last.
 * @throws {Error} for a release that is unknown, in the other direction, or further away than one minor release
 */
function releasesBetween(
  from: Release,
  wanted: string,
  direction: Direction,
  { minors = "one" }: ReleaseChangeOptions,
): readonly Release[] {
  const to = parseRelease(wanted);
  if (to === from) throw new Error(`${direction}: the cluster is Kubernetes ${from} already`);
  if (sinceOf(to)(from) !== (direction === "upgrade")) {
    const other = direction === "upgrade" ? "downgrade" : "upgrade";
    throw new Error(
      `${direction}: Kubernetes ${to} is ${other === "upgrade" ? "newer" : "older"} than ${from}; use ${other}`,
    );
  }
  const path = releasesOnTheWay(from, to);
  if (path.length === 1 || minors === "each") return path;
  if (minors === "skip") return [to];
  throw new Error(
    `${direction}: kube-apiserver goes from ${from} to ${to} through ${path.slice(0, -1).join(", ")}; ${direction} to each of them, or use { minors: "each" }, or { minors: "skip" } to see what breaks`,
  );
}

/**
 * The configuration of a server of another release over the same state: the same options, keys and time.
 * @throws {Error} for feature gates and a runtime configuration with which that server would not start
 */
function configAt(config: Config, release: Release, title: string): Config {
  const next = config.atRelease(release, (option) => `${title}: ${option}`);
  const { serviceAccountKeys, certificateAuthority } = config.authentication;
  const { clock, identifiers, loads, podScripts, simulatedFailures, server } = config;
  const authentication = { ...next.authentication, serviceAccountKeys, certificateAuthority };
  const kept = { authentication, clock, identifiers, loads, podScripts, simulatedFailures };
  return asServer(server, { ...next, ...kept });
}

/** The configuration of one of the servers of a cluster. Controllers and the simulation run once in a cluster. */
function asServer(server: number, config: Config): Config {
  return server === 1 ? config : { ...config, server, controllers: [], simulation: [] };
}

/** How a server with this configuration reads what other releases have stored. The code of all kinds is loaded. */
async function readingOf({ catalog, featureGates: gates, apis }: Config): Promise<ReleaseReading> {
  const loaded = await Promise.all(
    builtInKinds.map(
      async (kind): Promise<[KindDefinition, KindRules]> => [kind, (await kind.rules?.()) ?? {}],
    ),
  );
  const rules = new Map(loaded);
  const declared = new Map(apis.map((api) => [api.group, api.versionsKnownIn(catalog.release)]));
  const view = ApiView.ofRelease(catalog, builtInKinds);
  return releaseReading({
    view,
    gates,
    rulesOf: (gr) => {
      const definition = view.definitionOf(gr);
      return (definition && rules.get(definition)) ?? {};
    },
    declaredVersions: (group) => declared.get(group),
  });
}

/** What a cluster does when its release changes. */
export interface ChangedCluster {
  readonly config: Config;
  /** The releases of the other servers. */
  readonly others: readonly Release[];
  /** Starts a server in place of the running one. Resolves with its store when it is ready. */
  readonly takeOver: (config: Config, reader: ValueReader<KubeObject>) => Promise<Store<KubeObject>>;
}

/**
 * Goes to a release, through those between if the options say so.
 * @throws {Error} for a release or options that are not possible; then nothing has changed
 */
export async function changeRelease(
  direction: Direction,
  wanted: string,
  options: ReleaseChangeOptions,
  { config, others, takeOver }: ChangedCluster,
): Promise<ReleaseChange> {
  checkValue("the release", wanted, text);
  checkOptions(direction, options, releaseChangeOptionTypes);
  const from = config.catalog.release;
  const path = releasesBetween(from, wanted, direction, options);
  for (const release of path) checkSkew(direction, release, others);
  const configs = path.map((release) => configAt(config, release, direction));
  let report: ReleaseChange = { from, release: from, unreadable: [], unserved: [] };
  for (const next of configs) {
    const reading = await readingOf(next);
    const store = await takeOver(next, new ValueReader(reading.read));
    report = changeReport(from, next.catalog.release, store, reading);
  }
  return report;
}

/** The parts of a server that joins a cluster. */
export interface JoiningServer {
  readonly config: Config;
  readonly store: Store<KubeObject>;
}

/**
 * A further server over the objects of a cluster. The one that was there reads what it writes from now on. Controllers run only
 * once in a cluster.
 * @throws {Error} for a release that is unknown, or too far from those of the other servers
 */
export async function joinCluster(
  config: Config,
  options: ReplicaOptions,
  group: Pick<ServerGroup, "joining">,
  store: Store<KubeObject>,
): Promise<JoiningServer> {
  checkOptions("replica", options, replicaOptionTypes);
  const release = parseRelease(options.release ?? config.catalog.release);
  const { others, server } = group.joining();
  checkSkew("replica", release, others);
  const own = await readingOf(config);
  const next = asServer(server, configAt(config, release, "replica"));
  const reading = await readingOf(next);
  store.readWith(new ValueReader(own.read));
  return { config: next, store: store.readBy(new ValueReader(reading.read)) };
}

/** @throws {Error} unless the releases of all servers are at most one minor release apart */
function checkSkew(title: string, release: Release, others: readonly Release[]): void {
  const far = others.find((other) => releasesOnTheWay(other, release).length > 1);
  if (far === undefined) return;
  throw new Error(
    `${title}: a server of Kubernetes ${release} cannot serve beside one of ${far}: the servers of a cluster are at most one minor release apart`,
  );
}

/** What the server of another release leaves of the stored objects. */
function changeReport(
  from: Release,
  release: Release,
  store: Store<KubeObject>,
  reading: ReleaseReading,
): ReleaseChange {
  const unreadable: UnreadableObject[] = [];
  const unserved: UnservedObject[] = [];
  for (const { value, stale } of store.range({ prefix: "/registry/" }).items) {
    const resource = reading.unservedResource(value);
    if (resource !== undefined) unserved.push({ ...nameOf(value), resource: formatGroupResource(resource) });
    else if (stale?.unreadable !== undefined) unreadable.push({ ...nameOf(value), reason: stale.unreadable });
  }
  return { from, release, unreadable, unserved };
}

function nameOf({ apiVersion, kind, metadata: { namespace = "", name = "" } }: KubeObject) {
  return { apiVersion, kind, namespace, name };
}
