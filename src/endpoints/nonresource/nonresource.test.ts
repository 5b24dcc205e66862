import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { formatsOf } from "../../codec/media-types/formats.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { healthChecksOf } from "./health-checks.ts";
import { handleNonResource } from "./nonresource.ts";

interface Health {
  /** The error of each check that fails. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The checks that wait. */
  readonly delayed?: readonly string[];
  readonly now?: string;
  readonly grace?: number;
}

interface Asked extends Health {
  readonly method?: string;
  readonly accept?: string;
  readonly debugging?: Partial<EndpointEnvironment["debugging"]>;
  readonly gates?: readonly (readonly [string, boolean])[];
}

const text = { "Content-Type": "text/plain; charset=utf-8" };
const plain = { ...text, "X-Content-Type-Options": "nosniff" };
const notFound = { status: 404, headers: plain, text: "404 page not found\n" };
const start = "2026-01-01T00:00:00Z";

/** The answer of a server of 1.32, or the code of its refusal, with the checks that it counted and waited for. */
async function ask(target: string, asked: Asked = {}) {
  const { method = "GET", accept, errors = {}, delayed = [], now = start, grace = 0 } = asked;
  const [path = "", search] = target.split("?");
  const counted: string[] = [];
  const waited: string[] = [];
  const later = (name: string) =>
    new Promise<void>((resolve) => setTimeout(() => resolve(void waited.push(name)), 0));
  const wait = (name: string) => (delayed.includes(name) ? later(name) : undefined);
  const gates = featureGates("1.32", new Map(asked.gates));
  // The paths below read nothing else.
  const environment = {
    catalog: catalogOf({ release: "1.32" }),
    served: { current: viewOf({ release: "1.32" }) },
    gates,
    formats: formatsOf(gates),
    clock: new VirtualClock(now),
    startedAt: Date.parse(start),
    livezGraceMilliseconds: grace,
    debugging: { profiling: true, logsHandler: true, flags: () => new Map(), ...asked.debugging },
    metrics: { countHealthCheck: (name: string, endpoint: string) => counted.push(`${endpoint} ${name}`) },
    interventions: { health: { errorOf: (name: string) => errors[name], wait } },
  } as unknown as EndpointEnvironment;
  const headers = new Map(accept === undefined ? [] : [["accept", accept]]);
  const request = plainRequest({ method, target, headers });
  const context: Partial<RequestContext> = { request, path, now: 0, query: new URLSearchParams(search) };
  try {
    const answer = await handleNonResource(context as RequestContext, environment);
    const bytes = await readResponseBody(answer.body);
    const shown = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: new TextDecoder().decode(bytes),
    };
    return { ...shown, counted, waited };
  } catch (error) {
    if (error instanceof StatusError) return { status: error.code, counted, waited };
    throw error;
  }
}

const statusOf = async (target: string, asked?: Asked) => (await ask(target, asked)).status;

describe("the index", () => {
  test.each(["", "/", "/index.html"])("is at %j", async (path) => {
    const answer = await ask(path);
    expect(answer).toMatchObject({ status: 200, headers: { "Content-Type": "application/json" } });
    expect("text" in answer && answer.text).toMatch(/^\{\n {2}"paths": \[\n {4}"\/\.well-known\//);
  });

  test("names the directory of logs and what has its gate, if they are served", async () => {
    const paths = async (asked: Asked) => {
      const answer = await ask("/", asked);
      return "text" in answer ? JSON.parse(answer.text).paths : [];
    };
    expect(await paths({})).toContain("/logs");
    const isOther = (path: string) => !/^\/(api|apis|healthz|livez|readyz)(\/|$)/.test(path);
    expect((await paths({})).filter(isOther)).toEqual([
      "/.well-known/openid-configuration",
      "/logs",
      "/metrics",
      "/metrics/slis",
      "/openapi/v2",
      "/openapi/v3",
      "/openapi/v3/",
      "/openid/v1/jwks",
      "/version",
    ]);
    const pages = ["ComponentFlagz", "ComponentStatusz"].map((gate) => [gate, true] as const);
    expect(await paths({ gates: pages })).toEqual(expect.arrayContaining(["/flagz", "/statusz"]));
    expect(await paths({ debugging: { logsHandler: false } })).not.toContain("/logs");
    expect(await paths({ gates: [["ComponentSLIs", false]] })).not.toContain("/metrics/slis");
  });

  test.each([
    "/nothing",
    "/index",
    "/api/v1/pods/x/y/z",
    "/openapi",
    "/metricsx",
    "/healthzx",
    "/debug",
    "/log",
  ])("is not at %s, where nothing is", async (path) => expect(await ask(path)).toMatchObject(notFound));
});

describe("the version", () => {
  test.each(["/version", "/version/", "/version//"])("is at %s, indented", async (path) => {
    const answer = await ask(path);
    expect(answer).toMatchObject({ status: 200, headers: { "Content-Type": "application/json" } });
    expect("text" in answer && answer.text).toMatch(/^\{\n {2}"major": "1",\n/);
  });

  test("is refused as the router does", async () => {
    expect(await statusOf("/version/x")).toBe(404);
    expect(await statusOf("/version/x", { method: "POST" })).toBe(404);
    expect(await statusOf("/version", { method: "POST" })).toBe(405);
    expect(await statusOf("/version", { accept: "application/yaml" })).toBe(406);
    expect(await statusOf("/version", { accept: "application/json" })).toBe(200);
    expect(await ask("/versions")).toMatchObject(notFound);
  });
});

describe("pages for debugging", () => {
  test.each([
    ["/debug/pprof/", 200],
    ["/debug/flags", 200],
    ["/debug/flags/", 200],
    ["/logs", 301],
    ["/logs/", 200],
  ])("%s answers %i, if it is served", async (path, status) => {
    expect(await statusOf(path)).toBe(status);
    const off = { profiling: false, logsHandler: false };
    expect(await ask(path, { debugging: off })).toMatchObject(notFound);
  });

  test("begin with their names", async () => {
    for (const path of ["/debug/flagsx", "/logsx", "/x/logs/", "/x/debug/pprof/", "/x/debug/flags/"])
      expect(await ask(path)).toMatchObject(notFound);
  });

  test.each(["GET", "HEAD"])(
    "%s of the profiles without a slash is redirected to the right path",
    async (method) => {
      expect(await ask("/debug/pprof", { method })).toMatchObject({
        status: 302,
        headers: { Location: "/debug/pprof/", "Content-Type": "text/html; charset=utf-8" },
        text: '<a href="/debug/pprof/">Found</a>.\n\n',
      });
    },
  );

  test("other methods get no page with it, and without profiling there is none", async () => {
    const posted = await ask("/debug/pprof", { method: "POST" });
    expect(posted).toMatchObject({ status: 302, headers: { Location: "/debug/pprof/" }, text: "" });
    expect("headers" in posted && Object.keys(posted.headers)).toEqual(["Location"]);
    expect(await ask("/debug/pprof", { debugging: { profiling: false } })).toMatchObject(notFound);
  });
});

describe("health", () => {
  const healthChecks = healthChecksOf(featureGates("1.32"));
  const ready = healthChecks.map(({ name }) => name);
  const alive = healthChecks.filter(({ readyOnly }) => !readyOnly).map(({ name }) => name);

  test("has checks with names, each once", () => {
    for (const name of ready) expect(name).toMatch(/^(?:poststarthook\/)?[a-z]+(?:[-/][a-z0-9]+)*$/);
    expect(new Set(ready).size).toBe(ready.length);
    expect(ready.filter((name) => !name.startsWith("poststarthook/"))).toEqual([
      "ping",
      "log",
      "etcd",
      "etcd-readiness",
      "informer-sync",
      "autoregister-completion",
      "shutdown",
    ]);
  });

  test("has more checks for readiness", () => {
    expect(ready.filter((name) => !alive.includes(name))).toEqual([
      "etcd-readiness",
      "informer-sync",
      "shutdown",
    ]);
  });

  test.each([
    ["healthz", alive],
    ["livez", alive],
    ["readyz", ready],
  ])("%s counts its checks", async (endpoint, names) => {
    const answer = await ask(`/${endpoint}`, { method: "POST" });
    expect(answer).toMatchObject({ status: 200, headers: plain, text: "ok" });
    expect(answer.counted).toEqual(names.map((name) => `${endpoint} ${name}`));
    const lines = names.map((name) => (name === "etcd" ? "[+]etcd excluded: ok" : `[+]${name} ok`));
    const verbose = await ask(`/${endpoint}?verbose&exclude=etcd`);
    expect(verbose).toMatchObject({
      status: 200,
      headers: plain,
      text: `${lines.join("\n")}\n${endpoint} check passed\n`,
    });
    expect(verbose.counted).not.toContain(`${endpoint} etcd`);
  });

  test.each([
    ["/healthz/etcd", 200],
    ["/healthz/shutdown", 404],
    ["/readyz/shutdown", 200],
    ["/readyz/poststarthook/rbac/bootstrap-roles", 200],
    ["/readyz/", 404],
    ["/readyz/nothing", 404],
    ["/x/readyz", 404],
  ])("%s answers %i", async (path, status) => {
    const answer = await ask(path);
    expect(answer).toMatchObject(status === 404 ? notFound : { status, headers: text, text: "ok" });
    expect(answer.counted).toEqual([]);
  });

  test("says what fails, and why only to a client that asks for it", async () => {
    const errors = { etcd: "no leader" };
    const failed = await ask("/livez", { errors });
    expect(failed).toMatchObject({ status: 500, headers: plain });
    expect("text" in failed && failed.text.split("\n").slice(0, 4)).toEqual([
      "[+]ping ok",
      "[+]log ok",
      "[-]etcd failed: reason withheld",
      "[+]poststarthook/start-apiserver-admission-initializer ok",
    ]);
    expect("text" in failed && failed.text).toMatch(/\nlivez check failed\n$/);
    expect(await ask("/livez/etcd", { errors })).toMatchObject({
      status: 500,
      headers: plain,
      text: "internal server error: no leader\n",
    });
  });

  test("warns of excluded checks that do not exist", async () => {
    const answer = await ask("/livez?verbose&exclude=a&exclude=log&exclude=b");
    expect("text" in answer && answer.text).toMatch(
      /\nwarn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n$/,
    );
  });

  test("waits for every delayed check that it needs, in turn", async () => {
    const delayed = ["shutdown", "etcd", "ping"];
    expect((await ask("/readyz", { delayed })).waited).toEqual(["ping", "etcd", "shutdown"]);
    expect((await ask("/livez?exclude=ping", { delayed })).waited).toEqual(["etcd"]);
    expect((await ask("/readyz/etcd", { delayed })).waited).toEqual(["etcd"]);
    expect((await ask("/readyz/log", { delayed })).waited).toEqual([]);
  });

  const hook = "poststarthook/rbac/bootstrap-roles";
  test.each([
    ["livez", hook, "2026-01-01T00:00:30Z", 30_000, 200],
    ["livez", hook, "2026-01-01T00:00:30.001Z", 30_000, 500],
    ["livez", "autoregister-completion", "2026-01-01T00:00:30Z", 30_000, 200],
    ["livez", "etcd", start, 30_000, 500],
    ["livez", hook, start, 0, 500],
    ["readyz", hook, start, 30_000, 500],
    ["healthz", hook, start, 30_000, 500],
  ])(
    "of %s with a failing %s at %s, with a grace of %i ms, is %i",
    async (endpoint, name, now, grace, status) => {
      const health = { errors: { [name]: "e" }, delayed: [name], now, grace };
      const answer = await ask(`/${endpoint}`, health);
      expect([answer.status, answer.waited]).toEqual([status, status === 200 ? [] : [name]]);
      expect(await statusOf(`/${endpoint}/${name}`, health)).toBe(status);
    },
  );
});
