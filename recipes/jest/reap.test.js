const { createCluster } = require("kubedouble");
const { reap } = require("./reap.js");

const url = "https://cluster.test/api/v1/namespaces/default/configmaps";
const configMap = (name, labels) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels },
});

let cluster;
let fetch;

beforeEach(() => {
  const old = Array.from({ length: 5 }, (_, index) => configMap(`old-${index}`, { stage: "old" }));
  cluster = createCluster({ objects: [...old, configMap("new", { stage: "new" })] });
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  fetch = (input, init) => cluster.fetch(input, { ...init, headers });
});

afterEach(() => cluster.close());

test("what is old goes, page by page, and the rest stays", async () => {
  expect(await reap(fetch, url, "stage=old")).toEqual(["old-0", "old-1", "old-2", "old-3", "old-4"]);
  const { items } = await (await fetch(`${url}?labelSelector=stage`)).json();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["new"]);
});

test("a selector that makes no sense is an error", async () => {
  await expect(reap(fetch, url, "stage in")).rejects.toThrow("400");
});
