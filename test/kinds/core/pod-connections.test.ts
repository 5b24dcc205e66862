import { beforeAll, describe, expect, test } from "vitest";
import type { Cluster } from "../../../src/index.ts";
import { podsPath as path } from "../../registry/pods.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

interface Reached {
  readonly code: number;
  readonly message: string;
  readonly location: string | null;
}

let cluster: Cluster;

beforeAll(async () => {
  cluster = quietCluster({ controllers: ["serviceaccount-controller"] });
  const send = testClient(cluster);
  const node = (name: string, addresses: readonly object[]) =>
    send("POST", "/api/v1/nodes", { metadata: { name }, status: { addresses } });
  await node("near", [
    { type: "ExternalIP", address: "1.2.3.4" },
    { type: "InternalIP", address: "10.1.1.1" },
  ]);
  await node("named", [{ type: "Hostname", address: "host" }]);
  await node("lost", []);
  const c = { name: "c", image: "i" };
  const pod = (name: string, spec: object) =>
    send("POST", path, { metadata: { name }, spec: { containers: [c], ...spec } });
  await pod("two", {
    containers: [
      { ...c, name: "a" },
      { ...c, name: "b" },
    ],
    initContainers: [{ ...c, name: "i" }],
  });
  await pod("helped", { initContainers: [{ ...c, name: "i" }] });
  for (const nodeName of ["near", "named", "lost", "gone"]) await pod(nodeName, { nodeName });
  await pod("served", { containers: [{ ...c, ports: [{ containerPort: 8080 }] }] });
  await send("PATCH", `${path}/served/status`, { status: { podIP: "10.0.0.9" } });
  await pod("local", {});
  await send("PATCH", `${path}/local/status`, { status: { podIP: "127.0.0.1" } });
});

async function reach(method: string, target: string, headers: Record<string, string> = {}): Promise<Reached> {
  const authorization = `Bearer ${cluster.token("tester", { groups: ["system:masters"] })}`;
  const response = await cluster.fetch(`https://cluster.test${path}/${target}`, {
    method,
    redirect: "manual",
    headers: { authorization, ...headers },
  });
  const text = await response.text();
  const message = text.startsWith("{") ? JSON.parse(text).message : text;
  return { code: response.status, message, location: response.headers.get("location") };
}

describe("a log", () => {
  test("of a pod without a node is empty", async () => {
    expect(await reach("GET", "helped/log")).toMatchObject({ code: 204, message: "" });
  });

  test.each<[string, string, number, string]>([
    [
      "of one of several containers that is not named",
      "two/log",
      400,
      "a container name must be specified for pod two, choose one of: [i a b]",
    ],
    ["of no container", "two/log?container=z", 400, "container z is not valid for pod two"],
    ["of no pod", "zz/log", 404, 'pods "zz" not found'],
    ["of a pod on no node", "gone/log", 404, 'pods "gone" not found'],
    ["of a node without an address", "lost/log", 500, "no preferred addresses found; known addresses: []"],
    [
      "of a node that does not answer",
      "near/log?follow=true&tailLines=5",
      500,
      'Get "https://10.1.1.1:10250/containerLogs/default/near/c?follow=true&tailLines=5": dial tcp 10.1.1.1:10250: connect: connection refused',
    ],
    [
      "of an unknown node",
      "named/log",
      500,
      'Get "https://host:10250/containerLogs/default/named/c": dial tcp: lookup host: no such host',
    ],
    [
      "with wrong amounts",
      "two/log?tailLines=-1&sinceSeconds=0&limitBytes=0",
      422,
      'PodLogOptions "two" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    ],
    [
      "since two times",
      "two/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z",
      422,
      'PodLogOptions "two" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [
      "of one stream",
      "two/log?stream=Stdout",
      422,
      'PodLogOptions "two" is invalid: stream: Forbidden: may not be specified',
    ],
    ["with an invalid number", "two/log?tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      "since an invalid time",
      "two/log?sinceTime=x",
      400,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
  ])("%s is refused", async (_title, target, code, message) => {
    expect(await reach("GET", target)).toMatchObject({ code, message });
  });

  test("is not acceptable if the client accepts only text/plain", async () => {
    expect((await reach("GET", "helped/log", { accept: "text/plain" })).code).toBe(406);
  });
});

const upgrade = { connection: "Upgrade", upgrade: "SPDY/3.1" };
const refused = "error dialing backend: dial tcp 10.1.1.1:10250: connect: connection refused";

describe.each(["exec", "attach", "portforward"])("%s", (subresource) => {
  test.each<[string, string, number, string]>([
    ["of no pod", "zz", 404, 'pods "zz" not found'],
    ["of a pod without a node", "helped", 400, "pod helped does not have a host assigned"],
    ["of a pod on no node", "gone", 404, 'pods "gone" not found'],
    ["of a node without an address", "lost", 500, "no preferred addresses found; known addresses: []"],
    ["without an upgrade", "near", 400, "Upgrade request required"],
  ])("%s is refused", async (_title, pod, code, message) => {
    expect(await reach("POST", `${pod}/${subresource}`)).toMatchObject({ code, message });
    expect(await reach("GET", `${pod}/${subresource}`)).toMatchObject({ code, message });
  });

  test("of a node that does not answer is refused", async () => {
    expect(await reach("POST", `near/${subresource}`, upgrade)).toMatchObject({
      code: 500,
      message: refused,
    });
  });

  test("does not support dry runs", async () => {
    const answer = await reach("POST", `near/${subresource}?dryRun=All`);
    expect(answer).toMatchObject({ code: 400, message: "dryRun is not supported" });
  });
});

describe("a port is refused for", () => {
  test.each<[string, string, string]>([
    ["being too high", "99999", 'strconv.ParseUint: parsing "99999": value out of range'],
    ["an invalid port", "80,http", 'strconv.ParseUint: parsing "http": invalid syntax'],
  ])("%s", async (_title, ports, problem) => {
    const answer = await reach("POST", `zz/portforward?ports=${ports}`);
    expect(answer).toMatchObject({ code: 400, message: `cannot convert to []int32: ${problem}` });
  });
});

describe("a proxy", () => {
  const unreachable = "error trying to reach service: dial tcp 10.0.0.9";

  test.each<[string, string, number, string]>([
    ["to the first port", "served/proxy/x", 503, `${unreachable}:8080: connect: connection refused`],
    ["to a port", "served:81/proxy/", 503, `${unreachable}:81: connect: connection refused`],
    ["by a scheme", "https:served:81/proxy/", 503, `${unreachable}:81: connect: connection refused`],
    [
      "to a port that has no number",
      "served:x/proxy/",
      503,
      "error trying to reach service: dial tcp: lookup tcp/x: unknown port",
    ],
    ["to no pod", "zz/proxy/", 404, 'pods "zz" not found'],
    ["to a pod without an address", "two/proxy/", 400, "address not allowed"],
    ["to an address of the node itself", "local/proxy/", 400, "address not allowed"],
    ["by no scheme", "ftp:served:80/proxy/", 400, 'invalid pod request "ftp:served:80"'],
    ["to too many parts", "http:served:80:1/proxy/", 400, 'invalid pod request "http:served:80:1"'],
  ])("%s is refused", async (_title, target, code, message) => {
    expect(await reach("GET", target)).toMatchObject({ code, message });
    expect(await reach("DELETE", target)).toMatchObject({ code, message });
  });

  test("redirects reads to a path with a slash", async () => {
    expect(await reach("GET", "served/proxy?a=b%20c")).toEqual({
      code: 301,
      message: "",
      location: `${path}/served/proxy/?a=b%20c`,
    });
    expect((await reach("POST", "served/proxy")).code).toBe(503);
  });

  test("accepts any media type in Accept", async () => {
    expect((await reach("GET", "served/proxy/", { accept: "text/html" })).code).toBe(503);
  });

  test("with an upgrade is refused like others", async () => {
    const message = "error dialing backend: dial tcp 10.0.0.9:8080: connect: connection refused";
    expect(await reach("GET", "served/proxy/", upgrade)).toMatchObject({ code: 500, message });
  });
});
