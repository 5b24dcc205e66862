import { expect, test } from "vitest";
import { parseGroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, releases, releasesOnTheWay, sinceOf } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import type { Cluster } from "../../src/index.ts";
import { certificateRequest } from "../authentication/certificate-request.ts";
import { minimalObject } from "../registry/minimal-objects.ts";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

/** A row of Kubernetes' guide to removed APIs: the release without the old version, and the version that replaces it. */
interface Removal {
  readonly release: Release;
  readonly resource: string;
  readonly old: string;
  /** Undefined if nothing replaces it. */
  readonly replacement: string | undefined;
}

const removals = (release: Release, rows: string): readonly Removal[] =>
  rows
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [resources = "", old = "", replacement] = line.trim().split(/ +/);
      return resources.split(",").map((resource) => ({ release, resource, old, replacement }));
    });

/** kubernetes.io/docs/reference/using-api/deprecation-guide, without the reviews, which are not stored. */
const table: readonly Removal[] = [
  ...removals(
    "1.22",
    `mutatingwebhookconfigurations,validatingwebhookconfigurations admissionregistration.k8s.io/v1beta1 admissionregistration.k8s.io/v1
    customresourcedefinitions apiextensions.k8s.io/v1beta1 apiextensions.k8s.io/v1
    apiservices apiregistration.k8s.io/v1beta1 apiregistration.k8s.io/v1
    certificatesigningrequests certificates.k8s.io/v1beta1 certificates.k8s.io/v1
    leases coordination.k8s.io/v1beta1 coordination.k8s.io/v1
    ingresses extensions/v1beta1 networking.k8s.io/v1
    ingresses networking.k8s.io/v1beta1 networking.k8s.io/v1
    ingressclasses networking.k8s.io/v1beta1 networking.k8s.io/v1
    clusterroles,clusterrolebindings,roles,rolebindings rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1
    priorityclasses scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1
    csidrivers,csinodes,storageclasses,volumeattachments storage.k8s.io/v1beta1 storage.k8s.io/v1`,
  ),
  ...removals(
    "1.25",
    `cronjobs batch/v1beta1 batch/v1
    endpointslices discovery.k8s.io/v1beta1 discovery.k8s.io/v1
    events events.k8s.io/v1beta1 events.k8s.io/v1
    horizontalpodautoscalers autoscaling/v2beta1 autoscaling/v2
    poddisruptionbudgets policy/v1beta1 policy/v1
    podsecuritypolicies policy/v1beta1
    runtimeclasses node.k8s.io/v1beta1 node.k8s.io/v1`,
  ),
  ...removals(
    "1.26",
    `flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2
    horizontalpodautoscalers autoscaling/v2beta2 autoscaling/v2`,
  ),
  ...removals("1.27", "csistoragecapacities storage.k8s.io/v1beta1 storage.k8s.io/v1"),
  ...removals(
    "1.29",
    "flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3",
  ),
  ...removals(
    "1.32",
    "flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta3 flowcontrol.apiserver.k8s.io/v1",
  ),
];

/** What the tests of other kinds need no minimal object of. */
const objects: { readonly [resource: string]: object } = {
  certificatesigningrequests: {
    metadata: { name: "request" },
    spec: {
      request: certificateRequest("alice").request,
      signerName: "example.com/s",
      usages: ["client auth"],
    },
  },
  customresourcedefinitions: {
    metadata: { name: "rows.example.com" },
    spec: {
      group: "example.com",
      version: "v1",
      names: { plural: "rows", kind: "Row" },
      scope: "Namespaced",
    },
  },
};

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
    const object = objects[row.resource] ?? minimalObject(entry, `${table.indexOf(row)}`);
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
