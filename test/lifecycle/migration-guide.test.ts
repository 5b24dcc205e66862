import { expect, test } from "vitest";
import { parseGroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, releases, releasesOnTheWay, sinceOf } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import type { Cluster } from "../../src/index.ts";
import { minimalObject } from "../registry/minimal-objects.ts";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";
import { objectsOfRemovedApis, type Removal, removedApis as table } from "./removed-apis.ts";

interface Written extends Removal {
  readonly row: Removal;
  readonly name: string;
  readonly uid: string;
  /** What the replacement showed of the object last, without its warnings. */
  shown: object | undefined;
}

const first: Release = "1.21";
const last: Release = "1.33";

test("an upgrade walks through the table of removed APIs row by row", async () => {
  await using cluster = quietCluster({ release: first });
  const send = testClient(cluster);
  const written: Written[] = [];
  const seen: Removal[] = [];
  await write(cluster.release, written, send);
  for (const release of releasesOnTheWay(first, last)) {
    const { unreadable, unserved } = await cluster.upgrade(release);
    expect({ release, unreadable }).toEqual({ release, unreadable: [] });
    expect(unserved.map(({ resource }) => resource)).toEqual(
      sinceOf(release)("1.25") ? ["podsecuritypolicies.policy"] : [],
    );
    await write(release, written, send);
    for (const row of written) await check(row, release, send);
    seen.push(...written.filter((row) => row.release === release));
  }
  expect(seen.length).toBe(table.length);
  await goBack(cluster, written, send);
}, 180_000);

/** Creates an object through each old version that the release serves for the first time. */
async function write(release: Release, written: Written[], send: SendRequest): Promise<void> {
  for (const row of table) {
    const entry = resourceOf(release, row.old, row.resource);
    if (entry === undefined || written.some((one) => one.row === row)) continue;
    const object = objectsOfRemovedApis[row.resource] ?? minimalObject(entry, `${table.indexOf(row)}`);
    const created = await send("POST", collection(release, row.old, row.resource), object);
    expect([row.old, row.resource, created.code, created.findings]).toEqual([row.old, row.resource, 201, []]);
    const { name: given, uid } = created.object.metadata;
    written.push({ ...row, row, name: given, uid, shown: undefined });
  }
}

/** Until its removal, the old version answers with a warning; from then on only the replacement has the object. */
async function check(row: Written, release: Release, send: SendRequest): Promise<void> {
  const { old, resource, replacement, name, uid } = row;
  const isRemoved = sinceOf(release)(row.release);
  if (isRemoved) expect(resourceOf(release, old, resource)).toBeUndefined();
  else expect((await send("GET", `${collection(release, old, resource)}/${name}`)).code).toBe(200);
  if (replacement === undefined || resourceOf(release, replacement, resource) === undefined) return;
  const { code, object } = await send("GET", `${collection(release, replacement, resource)}/${name}`);
  expect([release, replacement, resource, code, object.metadata?.uid]).toEqual([
    release,
    replacement,
    resource,
    200,
    uid,
  ]);
  if (isRemoved && row.shown !== undefined && row.release === release)
    expect(object).toMatchObject(row.shown);
  row.shown = object;
}

/** A downgrade shows every object through its old version again. */
async function goBack(cluster: Cluster, written: readonly Written[], send: SendRequest): Promise<void> {
  await cluster.downgrade("1.24", { minors: "each" });
  for (const { release, old, resource, name, uid } of written) {
    if (sinceOf("1.24")(release) || resourceOf("1.24", old, resource) === undefined) continue;
    const { code, object } = await send("GET", `${collection("1.24", old, resource)}/${name}`);
    expect([old, resource, code, object.metadata?.uid]).toEqual([old, resource, 200, uid]);
  }
}

function resourceOf(release: Release, apiVersion: string, resource: string) {
  const gv = parseGroupVersion(apiVersion);
  return gv && catalogOf({ release }).resource({ ...gv, resource });
}

function collection(release: Release, apiVersion: string, resource: string): string {
  const isNamespaced = resourceOf(release, apiVersion, resource)?.namespaced ?? true;
  return `/apis/${apiVersion}${isNamespaced ? "/namespaces/default" : ""}/${resource}`;
}

test("the table has only releases of the catalog", () => {
  expect(table.filter(({ release }) => !releases.includes(release))).toEqual([]);
});
