import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";

const namespace = "going";
const finalizer = "example.com/held";
/** The number of node ports. */
const nodePorts = 200;
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { app: "a" } };

/** The kinds of objects in a namespace, by the path of their collection, with their required fields. */
const kinds: readonly (readonly [path: string, apiVersion: string, kind: string, rest: JsonObject])[] = [
  ["/api/v1/%/configmaps", "v1", "ConfigMap", { data: { a: "b" } }],
  ["/api/v1/%/secrets", "v1", "Secret", {}],
  ["/api/v1/%/services", "v1", "Service", { spec: { type: "NodePort", ports: [{ port: 80 }] } }],
  ["/api/v1/%/endpoints", "v1", "Endpoints", {}],
  ["/api/v1/%/pods", "v1", "Pod", { spec: template.spec }],
  ["/api/v1/%/serviceaccounts", "v1", "ServiceAccount", {}],
  ["/apis/apps/v1/%/deployments", "apps/v1", "Deployment", { spec: { selector, template } }],
  ["/apis/apps/v1/%/replicasets", "apps/v1", "ReplicaSet", { spec: { selector, template } }],
  ["/apis/coordination.k8s.io/v1/%/leases", "coordination.k8s.io/v1", "Lease", {}],
  ["/apis/rbac.authorization.k8s.io/v1/%/roles", "rbac.authorization.k8s.io/v1", "Role", { rules: [] }],
  [
    "/apis/networking.k8s.io/v1/%/networkpolicies",
    "networking.k8s.io/v1",
    "NetworkPolicy",
    { spec: { podSelector: {} } },
  ],
  ["/apis/policy/v1/%/poddisruptionbudgets", "policy/v1", "PodDisruptionBudget", { spec: { selector } }],
];

/** An object of the namespace, and its owners: some of the objects before it, as offsets. */
interface Plan {
  readonly kind: number;
  readonly owners: readonly { readonly back: number; readonly blockOwnerDeletion: boolean }[];
  readonly isHeld: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.nat(kinds.length - 1),
  owners: fc.array(fc.record({ back: fc.integer({ min: 1, max: 40 }), blockOwnerDeletion: fc.boolean() }), {
    maxLength: 2,
  }),
  isHeld: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
});

/** Creates the objects of a plan. Returns how many of them have a finalizer. */
async function fill(cluster: Cluster, plans: readonly Plan[]): Promise<number> {
  const made: KubeObject[] = [];
  for (const [i, { kind: number, owners, isHeld }] of plans.entries()) {
    const [, apiVersion = "", kind = "", rest = {}] = kinds[number] ?? [];
    const ownerReferences = owners.flatMap(({ back, blockOwnerDeletion }) => {
      const owner = made[i - back];
      const { name = "", uid = "" } = owner?.metadata ?? {};
      return owner === undefined
        ? []
        : [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid, blockOwnerDeletion }];
    });
    const unique = ownerReferences.filter(
      ({ uid }, at) => ownerReferences.findIndex((other) => other.uid === uid) === at,
    );
    const metadata = {
      name: `o-${i}`,
      namespace,
      ownerReferences: unique,
      ...(isHeld && { finalizers: [finalizer] }),
    };
    made.push(await cluster.create({ apiVersion, kind, metadata, ...rest }));
  }
  return plans.filter(({ isHeld }) => isHeld).length;
}

interface Seen {
  readonly type: string;
  readonly object: KubeObject;
}

/** Watches a collection from now on, and passes on every event. */
async function watch(
  cluster: Cluster,
  path: string,
  from: string,
  see: (event: Seen) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const url = `https://cluster.test${path}?watch=true&resourceVersion=${from}`;
  const response = await cluster.fetch(url, { headers });
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) see(JSON.parse(line));
  }
}

const revisionOf = ({ object }: Seen): number => Number(object.metadata.resourceVersion);

/** A client that removes its finalizer from deleted objects, and the events it has seen. */
class Finalizing {
  readonly ofNamespace: Seen[] = [];
  readonly ofContent: Seen[] = [];
  readonly #cluster: Cluster;
  readonly #watches: readonly Promise<void>[];
  #held: number;
  #release = () => {};
  /** Resolves when no object has the finalizer any more. */
  readonly released: Promise<void> = new Promise((resolve) => {
    this.#release = resolve;
  });

  constructor(cluster: Cluster, from: string, held: number) {
    this.#cluster = cluster;
    this.#held = held;
    if (held === 0) this.#release();
    this.#watches = [
      watch(cluster, "/api/v1/namespaces", from, (event) => this.ofNamespace.push(event)),
      ...kinds.map(([path]) =>
        watch(cluster, path.replace("%", `namespaces/${namespace}`), from, (event) => {
          this.ofContent.push(event);
          if (event.type === "MODIFIED") void this.#letGo(event.object);
        }),
      ),
    ];
  }

  /** Resolves when all watches have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#watches);
  }

  async #letGo({ apiVersion, kind, metadata }: KubeObject): Promise<void> {
    const { name = "", finalizers = [], deletionTimestamp } = metadata;
    if (!deletionTimestamp || !finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((other) => other !== finalizer);
    await this.#cluster.patch(apiVersion, kind, name, { metadata: { finalizers: rest } }, { namespace });
    this.#held -= 1;
    if (this.#held === 0) this.#release();
  }
}

async function expectTerminating(cluster: Cluster): Promise<void> {
  const late = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late", namespace } };
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  await expect(cluster.create(late)).rejects.toMatchObject({
    status: {
      code: 403,
      message: `configmaps "late" is forbidden: ${text}`,
      details: { name: "late", kind: "configmaps", causes: [cause] },
    },
  });
}

async function expectNothingLeft(cluster: Cluster): Promise<void> {
  await expect(cluster.get("v1", "Namespace", namespace)).rejects.toMatchObject({ code: 404 });
  for (const [, apiVersion, kind] of kinds) {
    expect((await cluster.list(apiVersion, kind, { namespace })).items).toEqual([]);
  }
  // Every port is free again.
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const spec = { type: "NodePort", ports: [{ port: 80 }] };
  for (let i = 0; i < nodePorts; i += 1) {
    await cluster.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `s-${i}`, namespace },
      spec,
    });
  }
}

/** The order: Terminating, the content is deleted, the conditions are updated, the finalizer is removed. */
function expectOrder({ ofNamespace, ofContent }: Finalizing, plans: readonly Plan[]): void {
  const end = ofNamespace.findIndex(({ type }) => type === "DELETED");
  const [marked, ...changed] = ofNamespace.slice(0, end);
  const gone = ofNamespace[end];
  const emptied = changed.at(-1);
  expect(marked).toMatchObject({
    type: "MODIFIED",
    object: { metadata: { deletionTimestamp: expect.any(String) }, status: { phase: "Terminating" } },
  });
  expect(changed.map(({ type }) => type)).toEqual(changed.map(() => "MODIFIED"));
  const no = (type: string, reason: string) => ({ type, status: "False", reason });
  expect(emptied?.object["status"]).toMatchObject({
    conditions: [
      no("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered"),
      no("NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions"),
      no("NamespaceDeletionContentFailure", "ContentDeleted"),
      no("NamespaceContentRemaining", "ContentRemoved"),
      no("NamespaceFinalizersRemaining", "ContentHasNoFinalizers"),
    ],
  });
  expect(gone?.object).toMatchObject({ status: { phase: "Terminating" } });
  // The last stored object: the update that removed the last finalizer became the deletion.
  expect(gone?.object["spec"]).toEqual({ finalizers: ["kubernetes"] });

  const deleted = ofContent.filter(({ type }) => type === "DELETED");
  const names = deleted.map(({ object }) => `${object.kind} ${object.metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(plans.map(({ kind }, i) => `${kinds[kind]?.[2]} o-${i}`)));

  const revisions = deleted.map(revisionOf);
  const steps = [marked, emptied, gone].map((event) =>
    event === undefined ? Number.NaN : revisionOf(event),
  );
  const inOrder = [steps[0], Math.min(...revisions), Math.max(...revisions), steps[1], steps[2]];
  expect(inOrder).toEqual(inOrder.toSorted((a = 0, b = 0) => a - b));
  expect(new Set(inOrder).size).toBe(inOrder.length);
}

test("a namespace of 1,000 mixed objects is deleted completely and in order within one settle", {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const plans = fc.sample(plan, { seed, numRuns: 1000 });
      const cluster = createCluster({ serviceNodePortRange: `30000-${30_000 + nodePorts - 1}` });
      await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      const held = await fill(cluster, plans);
      await cluster.settle();
      const { metadata } = await cluster.list("v1", "Namespace");
      const client = new Finalizing(cluster, String(metadata["resourceVersion"]), held);

      await cluster.delete("v1", "Namespace", namespace);
      await expectTerminating(cluster);
      await client.released;
      await cluster.settle();

      await expectNothingLeft(cluster);
      await cluster.close();
      await client.end();
      expectOrder(client, plans);
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
