import { afterEach, beforeEach, expect, test } from "vitest";
import { type Cluster, createCluster, VirtualClock } from "../../index.ts";
import { type Serving, serve } from "./serve.ts";

let cluster: Cluster;
beforeEach(() => {
  cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z") });
});
const open: Serving[] = [];
afterEach(() => Promise.all(open.splice(0).map((serving) => serving.close())));

async function served(options: { control?: boolean } = {}): Promise<Serving> {
  const serving = await serve(cluster, { tls: false, ...options });
  open.push(serving);
  return serving;
}

/** Sends a request to the control API; undefined if the port refuses it. */
async function ask(
  url: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, string> } | undefined> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}`, connection: "close" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}/kubedouble/v1/${path}`, init).catch(() => undefined);
  return response && { status: response.status, body: JSON.parse((await response.text()) || "{}") };
}

test("a server that goes down answers the request for it, closes its port and comes back", async () => {
  const { url } = await served();
  expect((await ask(url, "faults", { scenario: "down:lasting=5s" }))?.status).toBe(201);
  while ((await ask(url, "faults")) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  await cluster.clock.advance("5s");
  expect((await ask(url, "check", {}))?.status).toBe(204);
});

test("a fork has the state and its own token, and closes with the port", async () => {
  const serving = await served();
  const fork = (await ask(serving.url, "forks", {}))?.body ?? {};
  const namespace = (token: string) =>
    fetch(`${fork["url"]}/api/v1/namespaces/default`, { headers: { authorization: `Bearer ${token}` } });
  expect((await namespace(fork["token"] ?? "")).status).toBe(200);
  expect((await namespace(cluster.adminToken())).status).toBe(401);
  expect(fork["kubeconfig"]).toContain(fork["url"]);
  expect((await ask(serving.url, "forks", { port: serving.port }))?.body["message"]).toContain("EADDRINUSE");
  await serving.close();
  await expect(namespace(fork["token"] ?? "")).rejects.toThrow("fetch failed");
});

test("after a reset, the cluster still publishes its open port", async () => {
  await cluster.list("v1", "Namespace");
  const serving = await served();
  const published = async () =>
    JSON.stringify(await cluster.get("v1", "Endpoints", "kubernetes", { namespace: "default" }));
  expect(await published()).toContain(`"port":${serving.port}`);
  expect((await ask(serving.url, "reset", {}))?.status).toBe(204);
  expect(await published()).toContain(`"port":${serving.port}`);
});

test("without control, the port answers as for any unknown path", async () => {
  const { url } = await served({ control: false });
  expect(await (await fetch(`${url}/kubedouble/v1/faults`)).json()).toMatchObject({ code: 401 });
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  expect((await fetch(`${url}/kubedouble/v1/faults`, { headers })).status).toBe(404);
});
