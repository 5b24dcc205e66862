import { expect, test } from "vitest";
import { formatGroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, sinceOf } from "../../src/apimachinery/release.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import { type Catalog, catalogOf } from "../../src/catalog/catalog.ts";
import { everyApi } from "../../src/catalog/every-api.ts";
import { decodeCbor } from "../../src/codec/cbor/cbor.ts";
import { decodeProtobuf } from "../../src/codec/protobuf/protobuf.ts";
import { parseYaml } from "../../src/codec/yaml/yaml.ts";
import type { Cluster } from "../../src/index.ts";
import { minimalObject } from "./minimal-objects.ts";
import { quietCluster } from "./test-client.ts";

const origin = "https://cluster.test";
/** The releases with the most versions of the same kinds, and the newest one of the recordings. */
const chosen: readonly Release[] = ["1.18", "1.24", "1.29", "1.32"];

interface Sent {
  readonly method?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: object;
}

class Client {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async send(path: string, { method = "GET", accept = "application/json", type, body }: Sent = {}) {
    const headers = { accept, "content-type": type ?? "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#cluster.fetch(origin + path, { method, headers, ...content });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, bytes, text: () => new TextDecoder().decode(bytes) };
  }

  async json(path: string, sent: Sent = {}) {
    const { status, text } = await this.send(path, sent);
    return { status, object: JSON.parse(text()) };
  }

  /** The first event of a watch. */
  async event(path: string): Promise<{ type: string; object: { apiVersion: string; metadata: object } }> {
    const { body } = await this.#cluster.fetch(origin + path);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("\n")) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
    await reader?.cancel();
    return JSON.parse(text.split("\n")[0] ?? "");
  }
}

/** The object in each format but JSON. */
async function inFormats(client: Client, path: string, release: Release, catalog: Catalog) {
  const yaml = await client.send(path, { accept: "application/yaml" });
  const protobuf = await client.send(path, { accept: "application/vnd.kubernetes.protobuf" });
  const { object } = decodeProtobuf(protobuf.bytes, (gvk) => catalog.kind(gvk));
  const formats: Record<string, unknown> = { yaml: parseYaml(yaml.bytes), protobuf: object };
  if (!sinceOf(release)("1.32")) return formats;
  const cbor = await client.send(path, { accept: "application/cbor" });
  return { ...formats, cbor: decodeCbor(cbor.bytes) };
}

const collectionOf = ({ group, version, namespaced, resource }: ApiResource) =>
  `/apis/${group}/${version}${namespaced ? "/namespaces/default" : ""}/${resource}`;

/** The kinds of one group that a release serves in several versions. */
function pairsOf(catalog: Catalog): readonly (readonly [written: ApiResource, read: ApiResource])[] {
  const all = catalog.groupVersions().flatMap((gv) => catalog.resources(gv));
  const stored = all.filter(({ verbs }) => verbs.includes("create") && verbs.includes("watch"));
  return stored.flatMap((written) =>
    stored
      .filter(({ group, resource }) => group === written.group && resource === written.resource)
      .filter(({ version }) => version !== written.version)
      .map((read) => [written, read] as const),
  );
}

test.each(chosen)(
  "in %s, every version of a kind is equal in each format, watch, Table, patch and apply",
  async (release) => {
    const runtimeConfig = Object.fromEntries(everyApi);
    const featureGates = sinceOf(release)("1.32") ? { CBORServingAndStorage: true } : {};
    await using cluster = quietCluster({ release, runtimeConfig, featureGates });
    const catalog = catalogOf({ release, runtimeConfig: new Map(Object.entries(runtimeConfig)) });
    const client = new Client(cluster);
    const problems: unknown[] = [];
    const pairs = pairsOf(catalog);
    for (const [index, [written, read]] of pairs.entries()) {
      const given = minimalObject(written, `${index}`);
      if (given === undefined) continue;
      const apiVersion = formatGroupVersion(read);
      const title = `${formatGroupVersion(written)} > ${apiVersion} ${read.kind}`;
      const expectEqual = (what: string, actual: unknown, expected: unknown) => {
        const [one, other] = [JSON.stringify(sorted(actual)), JSON.stringify(sorted(expected))];
        if (one !== other) problems.push(`${title}: ${what}: ${one} is not ${other}`);
      };
      const created = await client.json(`${collectionOf(written)}?fieldManager=writer`, {
        method: "POST",
        body: { apiVersion: formatGroupVersion(written), kind: written.kind, ...given },
      });
      if (created.status !== 201) {
        problems.push(`${title}: ${created.status} ${created.object.message}`);
        continue;
      }
      const { name, resourceVersion } = created.object.metadata;
      const path = `${collectionOf(read)}/${name}`;
      const { object } = await client.json(path);
      for (const [format, same] of Object.entries(await inFormats(client, path, release, catalog)))
        expectEqual(format, plain(same), plain(object));
      const table = await client.json(path, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
      expectEqual("Table", [table.object.kind, table.object.rows?.length], ["Table", 1]);
      const since = Number(resourceVersion) - 1;
      const watch = `${collectionOf(read)}?watch=1&fieldSelector=metadata.name%3D${name}&resourceVersion=${since}`;
      expectEqual("watch", await client.event(watch), { type: "ADDED", object });
      const replaced = await client.json(path, { method: "PUT", body: object });
      expectEqual("update", [replaced.status, replaced.object.metadata?.uid], [200, object.metadata.uid]);
      const patched = await client.json(`${path}?fieldManager=patcher`, {
        method: "PATCH",
        type: "application/merge-patch+json",
        body: { metadata: { labels: { patched: "yes" } } },
      });
      const applied = await client.json(`${path}?fieldManager=applier`, {
        method: "PATCH",
        type: "application/apply-patch+yaml",
        body: { apiVersion, kind: read.kind, metadata: { name, labels: { applied: "yes" } } },
      });
      expectEqual("patch and apply", [patched.status, applied.status], [200, 200]);
      const back = await client.json(`${collectionOf(written)}/${name}`);
      expectEqual("labels", labelsOf(back.object), {
        ...labelsOf(created.object),
        applied: "yes",
        patched: "yes",
      });
      const owners = ownersOf(back.object);
      expectEqual("owner after apply", owners["applier"], apiVersion);
      // An object of which nobody owns a field, such as a DeviceClass without a spec, is not tracked before it is applied.
      const tracked = owners["writer"] === undefined ? [] : [owners["writer"], owners["patcher"]];
      expectEqual("owners", tracked, tracked.length === 0 ? [] : [formatGroupVersion(written), apiVersion]);
      await client.send(`${collectionOf(written)}/${name}`, { method: "DELETE" });
    }
    expect(pairs.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  },
  60_000,
);

interface Meta {
  readonly metadata: {
    readonly labels?: object;
    readonly managedFields?: readonly { readonly manager: string; readonly apiVersion: string }[];
  };
}

function labelsOf({ metadata }: Meta): object {
  return { ...metadata.labels };
}

/** The version in which each manager owns its fields. */
function ownersOf({ metadata }: Meta): { readonly [manager: string]: string } {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map(({ manager, apiVersion }) => [manager, apiVersion]),
  );
}

/** Protobuf does not tell an empty list from none, which the lists of a converted status can be. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, member) =>
    Array.isArray(member) && member.length === 0 ? null : member,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
