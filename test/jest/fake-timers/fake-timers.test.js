const { useCluster } = require("kubedouble/jest");
const { latency } = require("kubedouble/scenarios");

const configMap = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const double = useCluster();
const path = "https://cluster.test/api/v1/namespaces/default/configmaps";
const as = (cluster) => ({ headers: { authorization: `Bearer ${cluster.token("alice")}` } });

test("requests are answered, and controllers work", async () => {
  const { cluster } = double;
  await cluster.create(configMap("a"));
  await cluster.apply({ ...configMap("a"), data: { color: "blue" } });
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await cluster.settle();
  await expect(cluster).toHaveObject({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "kube-root-ca.crt", namespace: "shop" },
  });
});

test("watches deliver events, and end when the fake timers have advanced far enough", async () => {
  const { cluster } = double;
  const watch = await cluster.fetch(`${path}?watch=true&timeoutSeconds=60`, as(cluster));
  const text = watch.text();
  await cluster.create(configMap("a"));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await text).toContain('"name":"a"');
});

test("the port answers and delivers events", async () => {
  const server = await double.server();
  const token = double.cluster.token("alice");
  const https = require("node:https");
  const body = await new Promise((resolve, reject) => {
    const target = `${server.url}/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0`;
    const headers = { authorization: `Bearer ${token}` };
    https
      .get(target, { ca: server.caCertificate, headers }, (response) => {
        let seen = "";
        response.setEncoding("utf8").on("data", (piece) => {
          seen += piece;
          if (seen.includes('"name":"later"')) resolve(seen);
          else if (!seen.includes("later")) void double.cluster.create(configMap("later")).catch(() => {});
        });
      })
      .on("error", reject);
  });
  expect(body).toContain('"type":"ADDED"');
});

test("the delays and the date of the server follow the fake timers", async () => {
  const { cluster } = double;
  jest.setSystemTime(new Date("2030-01-01T00:00:00Z"));
  cluster.inject(latency({ milliseconds: 30_000 }));
  const answered = jest.fn();
  const asked = cluster.as("alice").create(configMap("b")).then(answered);
  await jest.advanceTimersByTimeAsync(29_000);
  expect(answered).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1_000);
  await asked;
  const { metadata } = await cluster.get("v1", "ConfigMap", "b");
  expect(metadata.creationTimestamp).toMatch(/^2030-01-01T00:00:/);
});

test("history expires with the fake timers", async () => {
  const { cluster } = double;
  const { metadata } = await cluster.list("v1", "ConfigMap");
  await cluster.create(configMap("c"));
  await jest.advanceTimersByTimeAsync(5 * 60_000 + 1);
  const exact = { resourceVersion: metadata.resourceVersion, resourceVersionMatch: "Exact" };
  await expect(cluster.list("v1", "ConfigMap", exact)).rejects.toMatchObject({ code: 410 });
});

test("waits end with a change, or when real time is over", async () => {
  const { cluster } = double;
  const blue = { ...configMap("d"), data: { color: "blue" } };
  const appears = expect(cluster).toEventuallyHaveObject(blue);
  await cluster.create(blue);
  await appears;
  const isGone = expect(cluster).not.toEventuallyHaveObject(blue);
  await cluster.delete("v1", "ConfigMap", "d");
  await isGone;
  await expect(expect(cluster).toEventuallyHaveObject(blue, { timeout: 20 })).rejects.toThrow(
    "The cluster has no ConfigMap default/d (v1)\nThis was the last state after 20 ms",
  );
});
