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

// Every test has its own cluster with these objects.
const double = useCluster({ objects: [...old, configMap("new", { stage: "new" })] });

function fetch(input, init) {
  const { cluster } = double;
  return cluster.fetch(input, { ...init, headers: { authorization: `Bearer ${cluster.token("reaper")}` } });
}

test("it deletes old objects page by page and keeps the others", async () => {
  expect(await reap(fetch, url, "stage=old")).toEqual(["old-0", "old-1", "old-2", "old-3", "old-4"]);
  const { items } = await (await fetch(`${url}?labelSelector=stage`)).json();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["new"]);
});

test("it deletes each object once", async () => {
  await reap(fetch, url, "stage=old");
  expect(double.cluster).toHaveRequested({ verb: "delete", resource: "configmaps", user: "reaper" }, 5);
});

test("it fails without deleting anything if the server fails", async () => {
  double.cluster.inject(etcdLeaderChange({ verb: "list", resource: "configmaps" }));
  await expect(reap(fetch, url, "stage=old")).rejects.toThrow("500");
  await expect(double.cluster).toHaveObject(configMap("old-0", { stage: "old" }));
});

test("it fails for an invalid selector", async () => {
  await expect(reap(fetch, url, "stage in")).rejects.toThrow("400");
});
