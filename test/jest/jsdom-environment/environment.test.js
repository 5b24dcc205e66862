/* global kubedouble */

test("every test has its own cluster", async () => {
  expect(kubedouble.cluster.release).toBe("1.30");
  await kubedouble.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  const { items } = await kubedouble.cluster.list("v1", "ConfigMap", { fieldSelector: "metadata.name=a" });
  for (const { metadata } of items) document.body.append(metadata.name);
  expect(document.body.textContent).toBe("a");
});

test("tokens are signed", async () => {
  const { createCluster } = require("kubedouble");
  const cluster = createCluster({
    objects: [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } }],
  });
  const token = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const path = "https://cluster.test/api/v1/namespaces/default/serviceaccounts/robot/token";
  const response = await cluster.fetch(path, {
    method: "POST",
    body: JSON.stringify(token),
    headers: { "content-type": "application/json", authorization: `Bearer ${cluster.token("alice")}` },
  });
  expect((await response.json()).status.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await cluster.close();
});

test("bytes have the type of Node's", async () => {
  expect(new TextEncoder().encode("a")).toBeInstanceOf(Uint8Array);
  expect(Buffer.from("a")).toBeInstanceOf(Uint8Array);
  expect(await new Response("a").arrayBuffer()).toBeInstanceOf(ArrayBuffer);
});

test("the page keeps the DOM's own globals", () => {
  const form = document.createElement("form");
  const clicks = [];
  form.addEventListener("click", (event) => clicks.push(event instanceof Event));
  form.click();
  expect(clicks).toEqual([true]);
  expect(new File(["a"], "a.txt")).toBeInstanceOf(File);
});
