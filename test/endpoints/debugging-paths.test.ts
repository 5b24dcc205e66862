import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";
import { expect, test } from "vitest";
import { type ClusterOptions, VirtualClock } from "../../src/index.ts";
import { quietCluster } from "../registry/test-client.ts";

const gates = { ComponentStatusz: true, ComponentFlagz: true };

async function answer(path: string, options: ClusterOptions, headers: Record<string, string> = {}) {
  await using cluster = quietCluster({ clock: new VirtualClock("2026-03-04T05:06:07Z"), ...options });
  await cluster.settle();
  await cluster.clock.advance("1h2m3s");
  const response = await cluster.fetch(`https://cluster.test${path}`, { redirect: "manual", headers });
  return {
    code: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const separator = "(?::|: |=| )";
const warning =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";

test.each([
  ["1.32", ""],
  ["1.34", `Paths${separator}  /healthz /livez /metrics /readyz /statusz /version\n`],
  ["1.35", `Paths${separator} /healthz /livez /metrics /readyz /statusz /version\n`],
])("the status page of %s is text", async (release, paths) => {
  const { code, headers, body } = await answer(
    "/statusz",
    { release, featureGates: { ComponentStatusz: true } },
    { accept: "*/*" },
  );
  expect([code, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const lines = [
    `Started${separator} Wed Mar  4 05:06:07 UTC 2026`,
    `Up${separator} 1 hr 02 min 03 sec`,
    `Go version${separator} kubedouble`,
    `Binary version${separator} ${release}.0`,
    `Emulation version${separator} ${release}`,
  ];
  expect(body.toString()).toMatch(
    new RegExp(`^\nkube-apiserver statusz\n${warning}\n\n${lines.join("\n")}\n${paths}$`),
  );
});

test("the flags are text with the values of this server", async () => {
  const options = { release: "1.32", featureGates: gates, maxRequestsInflight: 7 };
  const { body } = await answer("/flagz", options, { accept: "text/plain;charset=UTF-8" });
  expect(body.toString()).toMatch(new RegExp(`^\nkube-apiserver flags\n${warning}\n\n`));
  expect(body.toString()).toMatch(new RegExp(`\nmax-requests-inflight${separator}7\n`));
});

test.each([
  ["1.32", "", 406, "text/plain; charset=utf-8"],
  ["1.32", "application/json", 406, "text/plain; charset=utf-8"],
  ["1.32", "text/plain;version=1", 406, "text/plain; charset=utf-8"],
  ["1.35", "", 200, "text/plain; charset=utf-8"],
  ["1.35", "application/json", 406, "application/json"],
  ["1.35", "application/json;as=Statusz;g=config.k8s.io;v=v1alpha1", 200, "application/json"],
  ["1.35", "application/json;as=Statusz;g=config.k8s.io;v=v1beta1", 406, "application/json"],
  ["1.36", "application/json;as=Statusz;g=config.k8s.io;v=v1beta1", 200, "application/json"],
  ["1.36", "application/yaml;as=Statusz;g=config.k8s.io;v=v1beta1, text/plain", 200, "application/yaml"],
])("in %s, the status page accepted as %j answers %i", async (release, accept, code, type) => {
  const found = await answer("/statusz", { release, featureGates: gates }, { accept });
  expect([found.code, found.headers.get("content-type")]).toEqual([code, type]);
});

test("the status and the flags are objects since 1.35, and 1.36 deprecates their first version", async () => {
  const accept = "application/json;as=Statusz;g=config.k8s.io;v=v1alpha1";
  const { body, headers } = await answer("/statusz", { release: "1.36" }, { accept });
  expect(JSON.parse(body.toString())).toEqual({
    kind: "Statusz",
    apiVersion: "config.k8s.io/v1alpha1",
    metadata: { name: "kube-apiserver" },
    startTime: "2026-03-04T05:06:07Z",
    uptimeSeconds: 3723,
    goVersion: "kubedouble",
    binaryVersion: "1.36.0",
    emulationVersion: "1.36",
    paths: ["/flagz", "/healthz", "/livez", "/metrics", "/readyz", "/statusz", "/version"],
  });
  expect(headers.get("warning")).toBe(
    '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
  );
});

test.each([
  ["/logs", {}, 404],
  ["/logs", { enableLogsHandler: true }, 301],
  ["/logs/", { enableLogsHandler: true }, 200],
  ["/logs/syslog", { enableLogsHandler: true }, 404],
  ["/logs/", { release: "1.30" }, 200],
  ["/logs/", { release: "1.30", enableLogsHandler: false }, 404],
  ["/debug/pprof", { profiling: false }, 404],
  ["/debug/pprof/heap", { profiling: false }, 404],
  ["/debug/flags/v", { profiling: false }, 404],
] as const)("%s with %j answers %i", async (path, options, code) => {
  expect((await answer(path, options)).code).toBe(code);
});

test("a directory of logs is empty and has no file of this machine", async () => {
  const options = { enableLogsHandler: true };
  expect((await answer("/logs/", options)).body.toString()).toMatch(/<pre>\n<\/pre>\n$/);
  const long = await answer(`/logs/${"a".repeat(256)}`, options);
  expect([long.code, long.body.toString()]).toEqual([404, "file not found\n"]);
});

/** The fields of github.com/google/pprof, proto/profile.proto, that say what a profile counts. */
const { Profile } = protobuf.parse(
  `syntax = "proto3";
  message ValueType { int64 type = 1; int64 unit = 2; }
  message Profile {
    repeated ValueType sample_type = 1; repeated bytes sample = 2; repeated string string_table = 6;
    int64 time_nanos = 9; ValueType period_type = 11; int64 period = 12;
  }`,
  { keepCase: true },
).root.nested as { Profile: protobuf.Type };

test.each([
  ["heap", ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"]],
  ["profile?seconds=30", ["samples/count", "cpu/nanoseconds"]],
  ["goroutine", ["goroutine/count"]],
  ["mutex", ["contentions/count", "delay/nanoseconds"]],
])("%s is a valid profile without samples", async (path, types) => {
  const { code, headers, body } = await answer(`/debug/pprof/${path}`, {});
  expect([code, headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="${path.split("?")[0]}"`);
  const profile = Profile.toObject(Profile.decode(gunzipSync(body)), { longs: String, arrays: true });
  const texts = profile["string_table"];
  const shown = profile["sample_type"].map(
    ({ type, unit }: { type: number; unit: number }) => `${texts[type]}/${texts[unit]}`,
  );
  expect([texts[0], shown, profile["sample"]]).toEqual(["", types, []]);
  expect(profile["time_nanos"]).toBe(`${Date.parse("2026-03-04T06:08:10Z")}000000`);
});
