import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

const namespaces = "/api/v1/namespaces";

async function namespaced(labels: { readonly [name: string]: string }): Promise<SendRequest> {
  const cluster = quietCluster({ controllers: ["serviceaccount-controller"] });
  const send = testClient(cluster);
  await send("POST", namespaces, { metadata: { name: "n", labels: prefixed(labels) } });
  await cluster.settle();
  return send;
}

function prefixed(labels: { readonly [name: string]: string }) {
  const entries = Object.entries(labels);
  return Object.fromEntries(entries.map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]));
}

const pods = `${namespaces}/n/pods`;
const spec = { containers: [{ name: "c", image: "i" }] };

describe("PodSecurity", () => {
  test("checks a pod by the version of its namespace, and names it", async () => {
    const send = await namespaced({ enforce: "restricted", "enforce-version": "v1.7" });
    const { findings } = await send("POST", pods, { metadata: { name: "p" }, spec });
    expect(findings).toEqual([
      'pods "p" is forbidden: violates PodSecurity "restricted:v1.7": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    ]);
    const securityContext = { runAsNonRoot: true };
    expect(
      (await send("POST", pods, { metadata: { name: "p" }, spec: { ...spec, securityContext } })).code,
    ).toBe(201);
  });

  test("warns about templates that could not create pods", async () => {
    const send = await namespaced({ enforce: "baseline", "enforce-version": "v1.18" });
    const template = { metadata: { labels: { a: "b" } }, spec: { ...spec, hostNetwork: true } };
    const { code, warnings } = await send("POST", "/apis/apps/v1/namespaces/n/replicasets", {
      metadata: { name: "r" },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    expect(code).toBe(201);
    expect(warnings).toContain(
      'would violate PodSecurity "baseline:v1.18": host namespaces (hostNetwork=true)',
    );
  });

  test("checks an update only if it changes what runs", async () => {
    const send = await namespaced({});
    await send("POST", pods, { metadata: { name: "p" }, spec: { ...spec, hostPID: true } });
    await send("PATCH", `${namespaces}/n`, { metadata: { labels: prefixed({ enforce: "baseline" }) } });
    expect((await send("PATCH", `${pods}/p`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
    expect((await send("PATCH", `${pods}/p`, { spec: { activeDeadlineSeconds: 5 } })).code).toBe(200);
    const { object } = await send("GET", `${pods}/p`);
    const containers = [{ ...object.spec.containers[0], image: "other" }];
    const changed = { ...object, spec: { ...object.spec, containers } };
    expect((await send("PUT", `${pods}/p`, changed)).code).toBe(403);
    const debug = { spec: { ephemeralContainers: [{ name: "d", image: "d" }] } };
    expect((await send("PATCH", `${pods}/p/ephemeralcontainers`, debug)).code).toBe(403);
  });

  test.each<[string, { readonly [name: string]: string }, boolean]>([
    ["a stricter level", { enforce: "restricted" }, true],
    ["another version", { "enforce-version": "v1.30" }, true],
    ["the same policy", {}, false],
    ["a weaker level", { enforce: "privileged" }, false],
    ["a weaker level of another version", { enforce: "privileged", "enforce-version": "v1.30" }, false],
  ])("warns about existing pods when a namespace gets %s", async (_title, labels, isWarned) => {
    const send = await namespaced({});
    await send("POST", pods, { metadata: { name: "p" }, spec: { ...spec, hostPID: true } });
    await send("PATCH", `${namespaces}/n`, { metadata: { labels: prefixed({ enforce: "baseline" }) } });
    const { warnings } = await send("PATCH", `${namespaces}/n`, { metadata: { labels: prefixed(labels) } });
    expect(warnings.length > 0).toBe(isWarned);
  });
});
