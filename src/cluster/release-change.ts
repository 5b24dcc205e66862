import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { parseRelease, type Release, releasesOnTheWay, sinceOf } from "../apimachinery/release.ts";
import { gateProblem } from "../catalog/feature-gate-stages.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { KindDefinition, KindRules } from "../registry/contract/kind-definition.ts";
import { type ReleaseReading, releaseReading } from "../registry/release-reading.ts";
import { ApiView } from "../served/api-view.ts";
import type { Store } from "../store/store.ts";
import { ValueReader } from "../store/value-reader.ts";
import type { Config } from "./options.ts";
import type {
  ReleaseChange,
  ReleaseChangeOptions,
  UnreadableObject,
  UnservedObject,
} from "./release-change-options.ts";

/** `upgrade` or `downgrade`. */
export type Direction = "upgrade" | "downgrade";

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
  for (const [name, value] of config.givenGates) {
    const problem = gateProblem(name, value, release);
    if (problem !== undefined) throw new Error(`${title}: ${problem}`);
  }
  const next = config.atRelease(release);
  const { serviceAccountKeys, certificateAuthority } = config.authentication;
  const { clock, identifiers, loads } = config;
  const authentication = { ...next.authentication, serviceAccountKeys, certificateAuthority };
  return { ...next, authentication, clock, identifiers, loads };
}

/** How a server with this configuration reads what other releases have stored. The code of all kinds is loaded. */
async function readingOf({ catalog, featureGates: gates }: Config): Promise<ReleaseReading> {
  const loaded = await Promise.all(
    builtInKinds.map(
      async (kind): Promise<[KindDefinition, KindRules]> => [kind, (await kind.rules?.()) ?? {}],
    ),
  );
  const rules = new Map(loaded);
  const view = ApiView.ofRelease(catalog, builtInKinds);
  return releaseReading({
    view,
    gates,
    rulesOf: (gr) => {
      const definition = view.definitionOf(gr);
      return (definition && rules.get(definition)) ?? {};
    },
    declaredVersions: () => undefined,
  });
}

/** What a cluster does when its release changes. */
export interface ChangedCluster {
  readonly config: Config;
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
  { config, takeOver }: ChangedCluster,
): Promise<ReleaseChange> {
  const from = config.catalog.release;
  const path = releasesBetween(from, wanted, direction, options);
  const configs = path.map((release) => configAt(config, release, direction));
  let report: ReleaseChange = { from, release: from, unreadable: [], unserved: [] };
  for (const next of configs) {
    const reading = await readingOf(next);
    const store = await takeOver(next, new ValueReader(reading.read));
    report = changeReport(from, next.catalog.release, store, reading);
  }
  return report;
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
