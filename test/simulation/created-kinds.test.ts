import { expect, test } from "vitest";
import { createdKinds } from "../../src/cluster/simulation-for.ts";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

const components: ReadonlySet<string> = new Set(["kubelet", "kube-scheduler", "kube-controller-manager"]);
const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } };
const claimSpec = {
  storageClassName: "web",
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};
const once = { spec: { ...template.spec, restartPolicy: "Never" } };

const story: readonly JsonObject[] = [
  { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner: "disk.csi.example.com" },
  { apiVersion: "v1", kind: "Service", spec: { selector: labels, ports: [{ port: 80 }] } },
  { apiVersion: "apps/v1", kind: "Deployment", spec: { selector: { matchLabels: labels }, template } },
  { apiVersion: "apps/v1", kind: "DaemonSet", spec: { selector: { matchLabels: labels }, template } },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    spec: {
      serviceName: "web",
      selector: { matchLabels: labels },
      template,
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }],
    },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } },
  },
];

/** The documents of discovery and lists, as far as they are read here. */
interface Answer {
  readonly groups?: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
  readonly items?: readonly { readonly metadata: { readonly managedFields?: readonly Manager[] } }[];
}

interface Manager {
  readonly manager: string;
}

/** The kinds of the objects that only components have written. */
async function kindsIn(cluster: Cluster): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const read = async (path: string): Promise<Answer> =>
    JSON.parse(await (await cluster.fetch(`https://cluster.test${path}`, { headers })).text());
  const { groups = [] } = await read("/apis");
  const versions = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const found = new Set<string>();
  for (const version of versions) {
    for (const { name, kind, verbs } of (await read(version)).resources ?? []) {
      if (name.includes("/") || !verbs.includes("list")) continue;
      const { items = [] } = await read(`${version}/${name}`);
      const managers = items.map(({ metadata }) => metadata.managedFields ?? []);
      if (managers.some((all) => all.length > 0 && all.every(({ manager }) => components.has(manager))))
        found.add(kind);
    }
  }
  return found;
}

test("a simulated cluster loads the rules of the kinds that its components create, and of no others", async () => {
  await using plain = createCluster();
  await using cluster = createCluster({ simulate: true });
  await plain.settle();
  for (const object of story) await cluster.create({ ...object, metadata: { name: "web" } });
  await cluster.clock.advance("90s");
  await cluster.settle();
  const ofEveryCluster = await kindsIn(plain);
  const found = [...(await kindsIn(cluster))].filter((kind) => !ofEveryCluster.has(kind));
  expect(found.toSorted()).toEqual([...createdKinds].toSorted());
});
