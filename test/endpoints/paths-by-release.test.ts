import { expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { quietCluster } from "../registry/test-client.ts";

/** What a new cluster of a release answers. */
async function answer(
  release: Release,
  path: string,
  {
    method = "GET",
    gates = {},
    body,
  }: { method?: string; gates?: Record<string, boolean>; body?: string } = {},
): Promise<{ readonly code: number; readonly text: string; readonly headers: Headers }> {
  await using cluster = quietCluster({ release, featureGates: gates });
  const headers = { authorization: `Bearer ${cluster.adminToken()}`, "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await cluster.fetch(`https://cluster.test${path}`, init);
  return { code: response.status, text: await response.text(), headers: response.headers };
}

test.each<[Release, string, number]>([
  ["1.23", "/openapi/v3", 404],
  ["1.23", "/openapi/v3/api/v1", 404],
  ["1.24", "/openapi/v3", 200],
  ["1.26", "/metrics/slis", 404],
  ["1.27", "/metrics/slis", 200],
  ["1.19", "/openid/v1/jwks", 404],
  ["1.20", "/openid/v1/jwks", 200],
  ["1.19", "/debug/api_priority_and_fairness/dump_priority_levels", 404],
  ["1.20", "/debug/api_priority_and_fairness/dump_priority_levels", 200],
  ["1.32", "/debug/api_priority_and_fairness/dump_nothing", 404],
  ["1.32", "/debug/flags", 200],
  ["1.32", "/statusz", 404],
  ["1.32", "/flagz", 404],
  ["1.36", "/statusz", 200],
  ["1.36", "/flagz", 200],
  ["1.30", "/logs", 301],
  ["1.31", "/logs", 404],
  ["1.32", "/configz", 404],
])("in %s, %s answers %i, and the index says so", async (release, path, code) => {
  expect((await answer(release, path)).code).toBe(code);
  const { paths } = JSON.parse((await answer(release, "/")).text);
  // Paths for debugging are not listed.
  const isListed = code < 400 && !path.startsWith("/debug/");
  expect(paths.includes(path)).toBe(isListed);
});

test("OpenAPI v3 of 1.23 has a gate", async () => {
  expect((await answer("1.23", "/openapi/v3", { gates: { OpenAPIV3: true } })).code).toBe(200);
});

const dump = "/debug/api_priority_and_fairness";

test.each<[Release, string, readonly string[]]>([
  [
    "1.20",
    `${dump}/dump_priority_levels`,
    [
      "PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests",
      "catch-all,         0,            true,   false,       0,               0",
      "exempt,            <none>,       <none>, <none>,      <none>,          <none>",
    ],
  ],
  [
    "1.28",
    `${dump}/dump_priority_levels`,
    [
      "PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests",
      "catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0",
      "exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0",
    ],
  ],
  [
    "1.32",
    `${dump}/dump_queues`,
    [
      "PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR,   InitialSeatsSum, MaxSeatsSum, TotalWorkSum",
      "global-default,    0,      0,               0,                 0,          0.00000000ss,    0,               0,           0.00000000ss",
    ],
  ],
  [
    "1.32",
    `${dump}/dump_requests`,
    [
      "PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime, InitialSeats, FinalSeats, AdditionalLatency, StartTime",
    ],
  ],
])("in %s, %s is a table", async (release, path, lines) => {
  const { text, headers } = await answer(release, path);
  const squeezed = (line: string): string => line.replace(/ +/g, " ");
  expect(text.split("\n").slice(0, lines.length).map(squeezed)).toEqual(lines.map(squeezed));
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

test("columns of a table are eight characters wide and have a space between them", async () => {
  const { text } = await answer("1.32", `${dump}/dump_queues`);
  const [head = "", row = ""] = text.split("\n");
  expect(head.indexOf("Index,")).toBe("PriorityLevelName, ".length);
  expect(row.indexOf("0,")).toBe(head.indexOf("Index,"));
  expect(head.indexOf("PendingRequests") - head.indexOf("Index,")).toBe(8);
});

test.each<[string, string | undefined, number, string]>([
  ["GET", undefined, 406, "unsupported http method\n"],
  ["PUT", "4", 200, "successfully set klog.logging.verbosity to 4\n"],
  ["PUT", "-2147483647", 200, "successfully set klog.logging.verbosity to -2147483647\n"],
  ["PUT", "+2147483647", 200, "successfully set klog.logging.verbosity to +2147483647\n"],
  [
    "PUT",
    "2147483648",
    400,
    'failed set klog.logging.verbosity 2147483648: strconv.ParseInt: parsing "2147483648": value out of range\n',
  ],
  [
    "PUT",
    "1.5",
    400,
    'failed set klog.logging.verbosity 1.5: strconv.ParseInt: parsing "1.5": invalid syntax\n',
  ],
  [
    "PUT",
    "loud",
    400,
    'failed set klog.logging.verbosity loud: strconv.ParseInt: parsing "loud": invalid syntax\n',
  ],
  [
    "PUT",
    "99999999999",
    400,
    'failed set klog.logging.verbosity 99999999999: strconv.ParseInt: parsing "99999999999": value out of range\n',
  ],
])("%s %j of /debug/flags/v answers %i", async (method, body, code, text) => {
  const found = await answer("1.32", "/debug/flags/v", { method, ...(body !== undefined && { body }) });
  expect([found.code, found.text]).toEqual([code, text]);
});

test.each(["/debug/flags", "/debug/flags/", "/debug/flags/other"])("%s lists the flags", async (path) => {
  const { code, text, headers } = await answer("1.32", path, {});
  expect([code, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toMatch(/^<html>\n<head>\n<title>\/debug\/flags\/<\/title>[\s\S]*<tr>v<br>[\s\S]*<\/html>\n$/);
});

test.each<[Release, string, Record<string, boolean>, number]>([
  ["1.22", "Strict", {}, 201],
  ["1.22", "Never", {}, 201],
  ["1.24", "Strict", {}, 201],
  ["1.24", "Never", {}, 422],
  ["1.24", "Strict", { ServerSideFieldValidation: true }, 400],
  ["1.25", "Strict", {}, 400],
])(
  "in %s, unknown fields with fieldValidation=%s and %j answer %i",
  async (release, validation, gates, code) => {
    const path = `/api/v1/namespaces/default/configmaps?fieldValidation=${validation}`;
    const body = JSON.stringify({ metadata: { name: "a" }, unknown: 1 });
    const created = await answer(release, path, { method: "POST", gates, body });
    expect([created.code, created.headers.get("warning")]).toEqual([code, null]);
  },
);

test.each<[Release, string, object, string]>([
  ["1.18", "/api/v1/namespaces/default/secrets", { immutable: true }, "immutable"],
  ["1.18", "/api/v1/namespaces/default/configmaps", { immutable: true }, "immutable"],
  [
    "1.21",
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 90, protocol: "TCP" }] }] } },
    "endPort",
  ],
])("in %s, %s with %j loses what its gate disables", async (release, path, fields, field) => {
  const body = JSON.stringify({ metadata: { name: "a" }, ...fields });
  const gate = field === "endPort" ? "NetworkPolicyEndPort" : "ImmutableEphemeralVolumes";
  for (const isOn of [false, true]) {
    const created = await answer(release, path, {
      method: "POST",
      body,
      ...(isOn && { gates: { [gate]: true } }),
    });
    expect([created.code, created.text.includes(`"${field}":`)]).toEqual([201, isOn]);
  }
});
