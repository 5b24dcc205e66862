/* global kubedouble */
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

for (const time of ["first", "second"]) {
  test(`every test has its own cluster, the ${time} time`, async () => {
    const { cluster } = kubedouble;
    expect(cluster.release).toBe("1.30");
    await expect(cluster).toHaveObject({ ...configMap, data: { color: "blue" } });
    await cluster.delete("v1", "ConfigMap", "a");
    await expect(cluster).not.toHaveObject(configMap);
  });
}

test("it is served on a port", async () => {
  const { url } = await kubedouble.server();
  expect(url).toMatch(/^https:/);
  expect(require("node:fs").readFileSync(await kubedouble.kubeconfig(), "utf8")).toContain(url);
});

test("fake timers do not advance its time", async () => {
  jest.useFakeTimers({ now: 0 });
  const { metadata } = await kubedouble.cluster.create({ ...configMap, metadata: { name: "b" } });
  expect(Date.parse(metadata.creationTimestamp)).toBeGreaterThan(Date.now());
  jest.useRealTimers();
});
