import { expect, test } from "vitest";
import { listAt, textAt } from "../../src/apimachinery/fields.ts";
import { type Cluster, createCluster } from "../../src/index.ts";

const path = "/var/run/secrets/kubernetes.io/serviceaccount";
const container = { name: "main", image: "busybox" };

const pod = (spec: object = {}, namespace = "default") => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace },
  spec: { containers: [container], ...spec },
});

const account = (name: string) => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, namespace: "default" },
});

async function tokenOf(cluster: Cluster, name: string, namespace = "default"): Promise<string> {
  const found = await cluster.get("v1", "ServiceAccount", name, { namespace });
  return textAt(listAt(found, "secrets")[0] ?? {}, "name");
}

test("until 1.20, pods mount the Secret with the token of their account", async () => {
  await using cluster = createCluster({ release: "1.20" });
  const initContainers = [{ name: "first", image: "busybox" }];
  const created = await cluster.create(pod({ initContainers }));
  const name = await tokenOf(cluster, "default");
  const mount = { name, readOnly: true, mountPath: path };
  expect(created).toMatchObject({
    spec: {
      serviceAccountName: "default",
      volumes: [{ name, secret: { secretName: name, defaultMode: 420 } }],
      containers: [{ volumeMounts: [mount] }],
      initContainers: [{ volumeMounts: [mount] }],
    },
  });
});

test.each([
  ["1.20", { BoundServiceAccountTokenVolume: true }, "projected"],
  ["1.21", {}, "projected"],
  ["1.21", { BoundServiceAccountTokenVolume: false }, "secret"],
] as const)("in %s with %j, the volume is %s", async (release, featureGates, source) => {
  await using cluster = createCluster({ release, featureGates });
  const [volume] = listAt(await cluster.create(pod()), "spec", "volumes");
  expect(Object.keys(volume ?? {})).toEqual(["name", source]);
});

test("a volume of the pod with the Secret is mounted, and one of its name makes another name", async () => {
  await using cluster = createCluster({ release: "1.20" });
  const name = await tokenOf(cluster, "default");
  const own = await cluster.create(pod({ volumes: [{ name: "own", secret: { secretName: name } }] }));
  expect(listAt(own, "spec", "volumes")).toHaveLength(1);
  expect(listAt(listAt(own, "spec", "containers")[0] ?? {}, "volumeMounts")).toMatchObject([
    { name: "own", mountPath: path },
  ]);
  await cluster.delete("v1", "Pod", "web", { namespace: "default", gracePeriodSeconds: 0 });
  const taken = await cluster.create(pod({ volumes: [{ name, emptyDir: {} }] }));
  expect(listAt(taken, "spec", "volumes")).toMatchObject([
    { name },
    { name: expect.stringMatching(new RegExp(`^${name}-[a-z0-9]{5}$`)), secret: { secretName: name } },
  ]);
});

test("the volume of an account with dots in its name has none", async () => {
  await using cluster = createCluster({ release: "1.20" });
  await cluster.create(account("a.b"));
  const created = await cluster.create(pod({ serviceAccountName: "a.b" }));
  const secretName = await tokenOf(cluster, "a.b");
  expect(listAt(created, "spec", "volumes")).toMatchObject([
    { name: secretName.replace(".", "-"), secret: { secretName } },
  ]);
});

test("pods can be created right after their account or namespace", async () => {
  await using cluster = createCluster({ release: "1.20" });
  await cluster.create(account("ci"));
  await cluster.create(pod({ serviceAccountName: "ci" }));
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
  const created = await cluster.create(pod({}, "new"));
  expect(listAt(created, "spec", "volumes")).toMatchObject([
    { secret: { secretName: await tokenOf(cluster, "default", "new") } },
  ]);
});

test("without a token, pods that would mount it are refused until there is one", async () => {
  await using cluster = createCluster({
    release: "1.20",
    controllers: ["*", "-serviceaccount-token-controller"],
  });
  const response = await cluster.fetch("https://cluster.test/api/v1/namespaces/default/pods", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(pod()),
  });
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({
    code: 500,
    reason: "ServerTimeout",
    details: { name: "create pod", kind: "serviceaccounts", retryAfterSeconds: 1 },
    message:
      'No API token found for service account "default", retry after the token is automatically created and added to the service account',
  });
  const created = await cluster.create(pod({ automountServiceAccountToken: false }));
  expect(created).toMatchObject({ spec: { serviceAccountName: "default" } });
});

test("controllers of a simulated cluster create pods in a new namespace", async () => {
  await using cluster = createCluster({ release: "1.20", simulate: true });
  const metadata = { name: "web", namespace: "new" };
  const labels = { app: "web" };
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  await cluster.settle();
  await cluster.clock.advance("1m");
  await cluster.settle();
  const { items } = await cluster.list("v1", "Pod", { namespace: "new" });
  expect(items.map((one) => textAt(one, "status", "phase"))).toEqual(["Running", "Running"]);
});
