import { describe, expect, test } from "vitest";
import { QuietServer, type RawRequest } from "./quiet-server.ts";

/** The samples of a response, by name and labels. */
async function scrape(server: QuietServer, path = "/metrics"): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.ask({ method: "GET", target: path });
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

const maps = "/api/v1/namespaces/default/configmaps";
const manifest = (name: string) => JSON.stringify({ metadata: { name } });

/** The labels of a request to config maps. */
function counted(verb: string, scope: string, code: number, dryRun = ""): string {
  const labels = `code="${code}",component="apiserver",dry_run="${dryRun}",group="",resource="configmaps"`;
  return `apiserver_request_total{${labels},scope="${scope}",subresource="",verb="${verb}",version="v1"}`;
}

describe("requests are counted by target and result:", () => {
  const apply = { "content-type": "application/apply-patch+yaml" };
  const merge = { "content-type": "application/merge-patch+json" };

  test.each<[title: string, request: RawRequest, sample: string]>([
    ["a get", { method: "GET", target: `${maps}/there` }, counted("GET", "resource", 200)],
    [
      "a get of a missing object",
      { method: "GET", target: `${maps}/nobody` },
      counted("GET", "resource", 404),
    ],
    ["a list", { method: "GET", target: maps }, counted("LIST", "namespace", 200)],
    ["a list of all", { method: "GET", target: "/api/v1/configmaps" }, counted("LIST", "cluster", 200)],
    ["a watch", { method: "GET", target: `${maps}?watch=1` }, counted("WATCH", "namespace", 200)],
    ["a create", { method: "POST", target: maps, body: manifest("new") }, counted("POST", "resource", 201)],
    [
      "a dry run",
      { method: "POST", target: `${maps}?dryRun=All`, body: manifest("dry") },
      counted("POST", "resource", 201, "All"),
    ],
    [
      "an invalid dry run",
      { method: "POST", target: `${maps}?dryRun=x`, body: manifest("dry") },
      counted("POST", "resource", 422, "invalid"),
    ],
    [
      "an update",
      { method: "PUT", target: `${maps}/there`, body: manifest("there") },
      counted("PUT", "resource", 200),
    ],
    [
      "a patch",
      { method: "PATCH", target: `${maps}/there`, headers: merge, body: "{}" },
      counted("PATCH", "resource", 200),
    ],
    [
      "an apply",
      {
        method: "PATCH",
        target: `${maps}/there?fieldManager=me`,
        headers: apply,
        body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "there" } }),
      },
      counted("APPLY", "resource", 200),
    ],
    ["a delete", { method: "DELETE", target: `${maps}/there` }, counted("DELETE", "resource", 200)],
    ["a delete of all", { method: "DELETE", target: maps }, counted("DELETE", "namespace", 200)],
  ])("%s", async (_title, request, sample) => {
    const server = new QuietServer();
    await server.ask({ method: "POST", target: maps, body: manifest("there") });
    const before = (await scrape(server)).get(sample) ?? 0;
    await server.ask({ headers: { "content-type": "application/json" }, ...request });
    expect((await scrape(server)).get(sample)).toBe(before + 1);
  });

  test("unauthenticated and non-resource requests are not counted", async () => {
    const server = new QuietServer();
    const names = async () =>
      [...(await scrape(server)).keys()].filter((name) => name.startsWith("apiserver_request_total"));
    const before = await names();
    await server.ask({ method: "GET", target: maps, headers: { authorization: "Bearer forged" } });
    for (const target of ["/version", "/healthz", "/nothing", "/api/v1/nothing"])
      await server.ask({ method: "GET", target });
    expect(await names()).toEqual(before);
  });
});

test("the metrics contain stored objects, requested deprecated versions, and the start time of the server", async () => {
  const server = new QuietServer({ release: "1.31" });
  // From here on, time may pass while a test waits.
  await server.cluster.settle();
  const before = (await scrape(server)).get('apiserver_storage_objects{resource="configmaps"}') ?? 0;
  await server.ask({ method: "POST", target: maps, body: manifest("one") });
  const beta = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas";
  await server.ask({ method: "GET", target: beta });
  const samples = await scrape(server);
  const labels =
    'group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"';
  expect(samples.get('apiserver_storage_objects{resource="configmaps"}')).toBe(before + 1);
  expect(samples.get('apiserver_storage_objects{resource="deployments.apps"}')).toBe(0);
  expect(samples.get(`apiserver_requested_deprecated_apis{${labels}}`)).toBe(1);
  expect(samples.get("process_start_time_seconds")).toBe(Date.UTC(2026, 10, 20) / 1000);
  expect([...samples.keys()].find((name) => name.startsWith("kubernetes_build_info"))).toContain(
    'major="1",minor="31"',
  );
});

test("health checks are counted for requests that run all of them", async () => {
  const server = new QuietServer();
  for (const target of ["/livez", "/readyz?exclude=etcd", "/healthz/ping"])
    await server.ask({ method: "GET", target });
  const { text } = await server.ask({ method: "GET", target: "/metrics/slis" });
  const described = text.split("\n").filter((line) => line.startsWith("# "));
  expect(described).toEqual([
    "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.",
    "# TYPE kubernetes_healthcheck gauge",
    "# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.",
    "# TYPE kubernetes_healthchecks_total counter",
    "# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.",
    "# TYPE process_start_time_seconds gauge",
  ]);
  const samples = await scrape(server, "/metrics/slis");
  expect(samples.get('kubernetes_healthcheck{name="etcd",type="livez"}')).toBe(1);
  expect(samples.get('kubernetes_healthchecks_total{name="ping",status="success",type="readyz"}')).toBe(1);
  expect(samples.has('kubernetes_healthcheck{name="etcd",type="readyz"}')).toBe(false);
  expect([...samples.keys()].filter((name) => name.includes('type="healthz"'))).toEqual([]);
});

test("events of resources are counted by the history of the store", async () => {
  const server = new QuietServer({ release: "1.36" });
  await server.cluster.settle();
  const received = async (resource: string) =>
    (await scrape(server)).get(`apiserver_storage_events_received_total{group="",resource="${resource}"}`) ??
    0;
  const before = await received("configmaps");
  await server.ask({ method: "POST", target: maps, body: manifest("one") });
  await server.ask({ method: "DELETE", target: `${maps}/one` });
  expect([await received("configmaps"), await received("configmaps")]).toEqual([before + 2, before + 2]);
  expect(await received("events")).toBe(0);
  await server.ask({ method: "DELETE", target: "/metrics" });
  expect(await received("configmaps")).toBe(0);
});

test.each([
  ["", "namespace"],
  ["&fieldSelector=metadata.name%3Done", "resource"],
])("a watch with initial events%s is measured when it has sent them", async (selector, scope) => {
  const server = new QuietServer({ release: "1.36" });
  await server.ask({ method: "POST", target: maps, body: manifest("one") });
  const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const { text } = await server.ask({
    method: "GET",
    target: `${maps}?${query}&timeoutSeconds=1${selector}`,
  });
  expect(text).toContain("k8s.io/initial-events-end");
  const labels = `group="",resource="configmaps",scope="${scope}",version="v1"`;
  expect((await scrape(server)).get(`apiserver_watch_list_duration_seconds_count{${labels}}`)).toBe(1);
});

describe("/metrics", () => {
  test.each([
    ["1.30", "text/plain; version=0.0.4; charset=utf-8"],
    ["1.32", "text/plain; version=0.0.4; charset=utf-8; escaping=values"],
    ["1.33", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"],
  ] as const)("of %s is %s", async (release, contentType) => {
    const server = new QuietServer({ release });
    await server.cluster.settle();
    const { status, headers } = await server.ask({ method: "GET", target: "/metrics" });
    expect([status, headers.get("content-type")]).toEqual([200, contentType]);
    expect(headers.get("process-start-time-unix")).toBe(String(Date.UTC(2026, 10, 20) / 1000));
  });

  test("is the text format of Prometheus", async () => {
    const server = new QuietServer();
    await server.cluster.settle();
    await server.ask({ method: "GET", target: maps });
    const { text } = await server.ask({ method: "GET", target: "/metrics" });
    expect(text).toMatch(
      /\n# HELP apiserver_request_total \[STABLE\] .+\n# TYPE apiserver_request_total counter\n/,
    );
    expect(text).toMatch(/\nprocess_start_time_seconds 1\.79513\d+e\+09\n/);
    expect(text).toMatch(/\nserviceaccount_valid_tokens_total 0\n/);
    for (const line of text.trimEnd().split("\n")) {
      if (line.startsWith("# HELP") && !line.includes("authentication_token_cache"))
        expect(line).toMatch(/^# HELP [a-z\d_]+ \[(ALPHA|BETA|STABLE)\] [A-Z].+[a-z.]$/);
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z\d_]+ .+|[a-z\d_]+(\{([a-z_]+="[^"\n]*",?)+\})? [\d.e+-]+)$/);
    }
  });

  test("is reset by DELETE", async () => {
    const server = new QuietServer();
    await server.ask({ method: "GET", target: maps });
    const { status, text, headers } = await server.ask({ method: "DELETE", target: "/metrics" });
    expect([status, text, headers.get("content-type")]).toEqual([
      200,
      "metrics reset\n",
      "text/plain; charset=utf-8",
    ]);
    const names = [...(await scrape(server)).keys()];
    expect(names.filter((name) => name.startsWith("apiserver_request_total"))).toEqual([]);
  });

  test("requires permission", async () => {
    const server = new QuietServer({ authorizationMode: "RBAC" });
    const ask = async (groups: readonly string[]) => {
      const headers = { authorization: `Bearer ${server.cluster.token("x", { groups })}` };
      return (await server.ask({ method: "GET", target: "/metrics", headers })).status;
    };
    expect([await ask([]), await ask(["system:monitoring"])]).toEqual([403, 200]);
  });
});

test("logs are not served, as by a server without that option", async () => {
  const server = new QuietServer();
  for (const target of ["/logs", "/logs/", "/logs/kube-apiserver.log"]) {
    const { status, text } = await server.ask({ method: "GET", target });
    expect([status, text]).toEqual([404, "404 page not found\n"]);
  }
});
