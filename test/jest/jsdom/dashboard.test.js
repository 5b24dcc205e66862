const { readFileSync } = require("node:fs");
const https = require("node:https");
const { useCluster } = require("kubedouble/jest");
const { kubernetesHandlers } = require("kubedouble/msw");
const { slice, throttle } = require("kubedouble/scenarios");
const { setupServer } = require("msw/node");

const pod = (name) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: "main", image: "main:1" }] },
});
const pods = "https://cluster.test/api/v1/namespaces/default/pods";

const double = useCluster({ prepare: (cluster) => cluster.load([pod("web"), pod("worker")]) });
const asAlice = (cluster) => ({ authorization: `Bearer ${cluster.token("alice")}` });

beforeEach(() => document.body.replaceChildren());

/** Shows the pods that a `fetch` returns, as a page does. */
async function render(fetchPods) {
  const response = await fetchPods();
  const list = document.createElement("ul");
  if (response.ok) for (const { metadata } of (await response.json()).items) addRow(list, metadata.name);
  else list.textContent = (await response.json()).message;
  document.body.append(list);
}

function addRow(list, name) {
  const row = document.createElement("li");
  row.textContent = name;
  list.append(row);
}

const rows = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent);

test("a page shows the objects of the cluster", async () => {
  const { cluster } = double;
  await render(() => cluster.fetch(pods, { headers: asAlice(cluster) }));
  expect(rows()).toEqual(["web", "worker"]);
  expect(cluster).toHaveRequested({ verb: "list", resource: "pods", user: "alice" }, 1);
});

test("a page shows an injected failure", async () => {
  const { cluster } = double;
  cluster.inject(throttle({ verb: "list", resource: "pods" }));
  await render(() => cluster.fetch(pods, { headers: asAlice(cluster) }));
  expect(document.body.textContent).toContain("Too many requests");
});

test("a page follows a watch until it aborts", async () => {
  const { cluster } = double;
  const leaving = new AbortController();
  const { body } = await cluster.fetch(`${pods}?watch=true`, {
    headers: asAlice(cluster),
    signal: leaving.signal,
  });
  const list = document.createElement("ul");
  document.body.append(list);
  const follow = async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      for (const line of text.trim().split("\n")) {
        const { type, object } = JSON.parse(line);
        if (type === "ADDED") addRow(list, object.metadata.name);
        if (rows().length === 3) leaving.abort();
      }
      if (rows().length === 2) await cluster.create(pod("later"));
    }
  };
  await expect(follow()).rejects.toMatchObject({ name: "AbortError" });
  expect(rows()).toEqual(["web", "worker", "later"]);
});

describe("with MSW", () => {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterAll(() => server.close());

  test("the fetch of the page reaches the cluster", async () => {
    server.use(...kubernetesHandlers(double.cluster, "https://cluster.test"));
    await render(() => fetch(new Request(pods, { headers: asAlice(double.cluster) })));
    expect(rows()).toEqual(["web", "worker"]);
  });
});

test("the cluster is served on a port", async () => {
  const { url, caCertificate } = await double.server();
  expect(readFileSync(await double.kubeconfig({ user: "alice" }), "utf8")).toContain(url);
  const headers = asAlice(double.cluster);
  const status = await new Promise((resolve, reject) => {
    const target = `${url}/api/v1/namespaces/default/pods/web`;
    https
      .get(target, { ca: caCertificate, headers }, ({ statusCode }) => resolve(statusCode))
      .on("error", reject);
  });
  expect(status).toBe(200);
});

test("objects are written, awaited and compared", async () => {
  const { cluster } = double;
  const labels = { app: "web", tier: expect.stringMatching(/^fr/) };
  const labeled = { ...pod("web"), metadata: { name: "web", labels }, spec: { nodeName: undefined } };
  const appears = expect(cluster).toEventuallyHaveObject({ ...labeled, spec: {} });
  await cluster.patch("v1", "Pod", "web", { metadata: { labels: { tier: "front" } } });
  await appears;
  await expect(cluster).toHaveObject({ apiVersion: "v1", kind: "Pod", metadata: { name: "web", labels } });
  await expect(cluster.get("v1", "Pod", "nowhere")).rejects.toMatchObject({ status: { reason: "NotFound" } });
});

test("an answer arrives in small pieces", async () => {
  const { cluster } = double;
  cluster.inject(slice({ bytes: 100, verb: "list" }));
  await render(() => cluster.fetch(pods, { headers: asAlice(cluster) }));
  expect(rows()).toEqual(["web", "worker"]);
});
