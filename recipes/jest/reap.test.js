const { useCluster } = require("kubedouble/jest");
const { etcdLeaderChange } = require("kubedouble/scenarios");
const { reap } = require("./reap.js");

const url = "https://cluster.test/api/v1/namespaces/default/configmaps";
const configMap = (name, labels) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels },
});

const old = Array.from({ length: 5 }, (_, index) => configMap(`old-${index}`, { stage: "old" }));

// Every test has a cluster of its own, in which these are.
const double = useCluster({ objects: [...old, configMap("new", { stage: "new" })] });

function fetch(input, init) {
  const { cluster } = double;
  return cluster.fetch(input, { ...init, headers: { authorization: `Bearer ${cluster.token("reaper")}` } });
}

test("what is old goes, page by page, and the rest stays", async () => {
  expect(await reap(fetch, url, "stage=old")).toEqual(["old-0", "old-1", "old-2", "old-3", "old-4"]);
  const { items } = await (await fetch(`${url}?labelSelector=stage`)).json();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["new"]);
});

test("each is deleted once", async () => {
  await reap(fetch, url, "stage=old");
  expect(double.cluster).toHaveRequested({ verb: "delete", resource: "configmaps", user: "reaper" }, 5);
});

test("a server that fails is an error, and nothing is gone", async () => {
  double.cluster.inject(etcdLeaderChange({ verb: "list", resource: "configmaps" }));
  await expect(reap(fetch, url, "stage=old")).rejects.toThrow("500");
  await expect(double.cluster).toHaveObject(configMap("old-0", { stage: "old" }));
});

test("a selector that makes no sense is an error", async () => {
  await expect(reap(fetch, url, "stage in")).rejects.toThrow("400");
});
