import { afterEach, beforeEach, expect, test } from "vitest";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";

let cluster: Cluster;
beforeEach(() => {
  cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z"), livezGracePeriod: "30s" });
});
afterEach(() => cluster.close());

async function get(path: string) {
  const response = await cluster.fetch(`https://x${path}`);
  return [response.status, await response.text()];
}

test("a check that fails makes each endpoint fail that has it, without the reason", async () => {
  const failing = cluster.health.fail("etcd", "no leader");
  for (const endpoint of ["healthz", "livez", "readyz"]) {
    const [status, text] = await get(`/${endpoint}`);
    expect(status).toBe(500);
    expect(text).toMatch(/^\[\+\]ping ok\n\[\+\]log ok\n\[-\]etcd failed: reason withheld\n\[\+\]/);
    expect(text).toMatch(new RegExp(`\n${endpoint} check failed\n$`));
    expect(await get(`/${endpoint}/etcd`)).toEqual([500, "internal server error: no leader\n"]);
    expect(await get(`/${endpoint}/ping`)).toEqual([200, "ok"]);
    expect(await get(`/${endpoint}?exclude=etcd`)).toEqual([200, "ok"]);
  }
  failing.end();
  expect(await get("/readyz")).toEqual([200, "ok"]);
});

test("a server that shuts down is not ready, but alive, and serves", async () => {
  const failing = cluster.health.fail("shutdown");
  expect((await get("/readyz"))[0]).toBe(500);
  expect(await get("/livez")).toEqual([200, "ok"]);
  expect((await get("/api/v1/pods"))[0]).toBe(200);
  failing[Symbol.dispose]();
  expect(await get("/readyz")).toEqual([200, "ok"]);
});

test("hooks that run after the start do not count for livez during the grace period", async () => {
  await get("/livez");
  cluster.health.fail("poststarthook/rbac/bootstrap-roles");
  expect([(await get("/livez"))[0], (await get("/readyz"))[0]]).toEqual([200, 500]);
  await cluster.clock.advance("30001ms");
  expect((await get("/livez"))[0]).toBe(500);
});

test("two failures of one check end separately", async () => {
  const [first, second] = [cluster.health.fail("ping"), cluster.health.fail("ping", "later")];
  first.end();
  expect(await get("/livez/ping")).toEqual([500, "internal server error: later\n"]);
  second.end();
  expect(await get("/livez/ping")).toEqual([200, "ok"]);
});

test("a check that does not exist cannot fail", () => {
  expect(() => cluster.health.fail("nope")).toThrow(/^health: unknown check "nope"; known: ping, log, etcd/);
});

test("a check that is delayed answers late, by the cluster's clock, and others do not wait", async () => {
  await get("/readyz");
  const delayed = cluster.health.delay("etcd", "5s");
  const answers: string[] = [];
  const asked = ["/readyz", "/healthz/etcd"].map((path) => get(path).then(() => answers.push(path)));
  expect(await get("/readyz?exclude=etcd")).toEqual([200, "ok"]);
  expect(await get("/livez/ping")).toEqual([200, "ok"]);
  await cluster.clock.advance("4999ms");
  expect(answers).toEqual([]);
  await cluster.clock.advance(1);
  await Promise.all(asked);
  delayed.end();
  expect(await get("/readyz")).toEqual([200, "ok"]);
});

test("the delays of several checks add up, and the end of one lets its requests go on", async () => {
  await get("/readyz");
  cluster.health.delay("ping", 1000);
  const delayed = cluster.health.delay("etcd", "1h");
  let isAnswered = false;
  const answer = get("/readyz").finally(() => {
    isAnswered = true;
  });
  await cluster.clock.advance("1s");
  await cluster.clock.advance("1m");
  expect(isAnswered).toBe(false);
  delayed[Symbol.dispose]();
  expect(await answer).toEqual([200, "ok"]);
});

test("a check of the start is not delayed for livez during the grace period", async () => {
  await get("/livez");
  for (const name of ["poststarthook/rbac/bootstrap-roles", "autoregister-completion"]) {
    cluster.health.delay(name, "1h");
    cluster.health.fail(name);
  }
  expect(await get("/livez")).toEqual([200, "ok"]);
  await cluster.clock.advance("30s");
  expect(await get("/livez")).toEqual([200, "ok"]);
  await cluster.clock.advance(1);
  const late = get("/livez");
  await cluster.clock.advance("1h");
  await cluster.clock.advance("1h");
  expect((await late)[0]).toBe(500);
});

test("a check that does not exist cannot be delayed", () => {
  expect(() => cluster.health.delay("etdc", "1s")).toThrow('health: unknown check "etdc"');
});

test("a verbose answer has a line for every check, and says which are excluded or unknown", async () => {
  const [status, text] = await get("/readyz?verbose&exclude=etcd&exclude=nope&exclude=neither");
  const lines = String(text).trimEnd().split("\n");
  expect([status, lines.slice(0, 4)]).toEqual([
    200,
    ["[+]ping ok", "[+]log ok", "[+]etcd excluded: ok", "[+]etcd-readiness ok"],
  ]);
  expect(lines.slice(-3)).toEqual([
    "[+]shutdown ok",
    'warn: some health checks cannot be excluded: no matches for "nope","neither"',
    "readyz check passed",
  ]);
  const ready = lines.slice(0, -2).map((line) => line.replace(/^\[\+\](\S+) .*/, "$1"));
  const [, alive] = await get("/livez?verbose");
  const names = String(alive).match(/(?<=^\[\+\])\S+/gm);
  expect(names).toEqual(
    ready.filter((name) => !["etcd-readiness", "informer-sync", "shutdown"].includes(name)),
  );
  expect(String(alive)).toMatch(/\nlivez check passed\n$/);
});

test("a check that an endpoint does not have is not found", async () => {
  for (const path of ["/livez/shutdown", "/readyz/nope", "/healthz/poststarthook"])
    expect(await get(path)).toEqual([404, "404 page not found\n"]);
  expect(await get("/readyz/shutdown")).toEqual([200, "ok"]);
  expect(await get("/livez/poststarthook/rbac/bootstrap-roles")).toEqual([200, "ok"]);
});

test("without a grace period, hooks count for livez at once", async () => {
  const impatient = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z") });
  impatient.health.fail("autoregister-completion");
  expect((await impatient.fetch("https://x/livez")).status).toBe(500);
  await impatient.close();
});
