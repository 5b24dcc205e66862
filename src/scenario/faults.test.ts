import { describe, expect, test } from "vitest";
import { VirtualClock } from "../apimachinery/clock.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import { Faults, UnusedFaultError } from "./faults.ts";
import { type LoggedRequest, openEntry } from "./logged-request.ts";
import { OpenWatches } from "./open-watches.ts";
import { RequestLog } from "./request-log.ts";
import { type ScenarioExtras, type ScenarioOptions, scenario } from "./scenario.ts";

const target = "/api/v1/namespaces/default/pods/web";
const userAgent = "kubectl/v1.32.0";

const request = (parts: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...openEntry({ method: "PUT", target, remoteAddress: "", userAgent, auditId: "1", receivedAt: 0 }),
  path: target,
  verb: "update",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "web",
  user: "alice",
  ...parts,
});

const clock = new VirtualClock(0);
const cluster: ClusterControls = {
  clock,
  interrupt: () => () => {},
  watches: new OpenWatches(),
  viewOf: () => {
    throw new Error("these scenarios look at no state");
  },
  expireHistory: () => {},
};

const fails = (options: ScenarioOptions, extras: ScenarioExtras = {}) =>
  scenario("fails", options, {}, async () => ({ status: 500, headers: [], body: undefined }), extras);

function faultsOf(...seen: readonly LoggedRequest[]): { faults: Faults; log: RequestLog } {
  const log = new RequestLog(10);
  for (const one of seen) log.add(one);
  return { log, faults: new Faults(log, cluster) };
}

describe("a fault strikes", () => {
  test.each<[string, ScenarioOptions, Partial<LoggedRequest>, boolean]>([
    ["any request", {}, {}, true],
    ["one of its verb", { verb: "update" }, {}, true],
    ["one of its verbs", { verb: ["patch", "update"] }, {}, true],
    ["none of other verbs", { verb: ["patch", "delete"] }, {}, false],
    ["one of its resource", { resource: "pods" }, {}, true],
    ["none of other resources", { resource: "nodes" }, {}, false],
    ["none of another group", { group: "apps" }, {}, false],
    ["no subresource where the object is meant", { subresource: "" }, { subresource: "status" }, false],
    ["one of its namespace and name", { namespace: "default", name: "web" }, {}, true],
    ["none of another name", { name: "db" }, {}, false],
    ["one of its path", { path: /^\/api\/v1\// }, {}, true],
    ["none of another path", { path: "/apis" }, {}, false],
    ["one of its user", { user: "alice" }, {}, true],
    ["none of other users", { user: "bob" }, {}, false],
    ["one whose agent has the word", { userAgent: "kubectl" }, {}, true],
    ["none whose agent differs", { userAgent: /^helm/ }, {}, false],
  ])("%s", (_title, scope, parts, expected) => {
    const { faults } = faultsOf();
    faults.inject(fails(scope));
    expect(faults.take(request(parts)) !== undefined).toBe(expected);
  });

  test.each([
    ["once", {}, [true, false, false, false]],
    ["so often", { times: 2 }, [true, true, false, false]],
    ["from the n-th on", { nth: 3 }, [false, false, true, false]],
    ["so often from the n-th on", { nth: 2, times: 2 }, [false, true, true, false]],
  ])("%s", (_title, options, expected) => {
    const { faults } = faultsOf();
    faults.inject(fails(options));
    expect(expected.map(() => faults.take(request()) !== undefined)).toEqual(expected);
  });

  test("before those that came after it, which then have their turn", () => {
    const { faults } = faultsOf();
    const [first, second] = [faults.inject(fails({})), faults.inject(fails({}))];
    const hits = [];
    for (let n = 0; n < 2; n++) {
      faults.take(request());
      hits.push([first.hits, second.hits]);
    }
    expect(hits).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe("a handle", () => {
  test("waits for hits", async () => {
    const { faults } = faultsOf();
    const fault = faults.inject(fails({ times: 3 }));
    const twice = fault.hit(2).then(() => fault.hits);
    faults.take(request());
    faults.take(request());
    expect(await twice).toBe(2);
    await fault.hit();
  });

  test("removes its fault and rejects pending waits", async () => {
    const { faults } = faultsOf();
    const fault = faults.inject(fails({ times: 3 }));
    const waiting = fault.hit();
    fault.remove();
    await expect(waiting).rejects.toThrow("The fault fails was removed after 0 hits");
    await expect(fault.hit()).rejects.toThrow("removed");
    expect([fault.isOver, faults.take(request()), faults.inForce]).toEqual([true, undefined, []]);
  });
});

describe("a fault that lasts", () => {
  test("ends by the clock of the cluster", async () => {
    const { faults } = faultsOf();
    const fault = faults.inject(fails({ times: 5, lasting: "10s" }));
    await clock.advance("9s");
    expect(faults.take(request())).toBeDefined();
    const waiting = fault.hit(2);
    const [outcome] = await Promise.allSettled([waiting, clock.advance("1s")]);
    expect(outcome).toMatchObject({ reason: { message: "The fault fails was over after 1 hit" } });
    expect([fault.isOver, faults.take(request()), faults.inForce]).toEqual([true, undefined, []]);
  });

  test.each<[string, ScenarioOptions, (faults: Faults) => void]>([
    ["struck as often as it should", { times: 1 }, (faults) => faults.take(request())],
    ["was removed", {}, (faults) => faults.inForce[0]?.remove()],
    ["was checked", {}, (faults) => faults.check()],
  ])("takes back what it did to the cluster, once, when it %s", (_title, options, finish) => {
    const { faults } = faultsOf();
    const order: string[] = [];
    const begin = (_cluster: ClusterControls, struck: () => void) => {
      order.push("begins");
      if (options.times === undefined) struck();
      return () => order.push("ends");
    };
    const fault = faults.inject(fails({ times: 9, ...options }, { begin }));
    expect(order).toEqual(["begins"]);
    finish(faults);
    fault.remove();
    expect([order, fault.hits]).toEqual([["begins", "ends"], 1]);
  });
});

test("a fault passes over requests that it would make no difference to", () => {
  const need = { text: "that says no", holds: ({ target }: LoggedRequest) => target.includes("no") };
  const seen = [request({ target: "/yes" })];
  const { faults } = faultsOf(...seen);
  const fault = faults.inject(fails({ nth: 2 }, { need }));
  const targets = ["/yes", "/no", "/yes", "/no"];
  const struck = targets.map((target) => faults.take(request({ target })) !== undefined);
  expect([struck, fault.hits]).toEqual([[false, false, false, true], 1]);
  faults.inject(fails({ verb: "update" }, { need }));
  expect(() => faults.check()).toThrow(
    "The fault fails never struck: it waits for a request with verb update that says no; the nearest was PUT /yes as alice",
  );
});

describe("the check at the end of a test", () => {
  test("passes when every fault struck, and ends them all", () => {
    const { faults } = faultsOf();
    faults.inject(fails({ times: 5 }));
    faults.take(request());
    expect(faults.inForce).toHaveLength(1);
    faults.check();
    expect(faults.inForce).toEqual([]);
  });

  test("counts a fault that was removed unused", () => {
    const { faults } = faultsOf();
    faults.inject(fails({})).remove();
    expect(() => faults.check()).toThrow(UnusedFaultError);
    faults.check();
  });

  test.each<[string, ScenarioOptions, readonly LoggedRequest[], string]>([
    [
      "says that nobody came",
      { verb: "list" },
      [],
      "The fault fails never struck: it waits for a request with verb list; no request came at all",
    ],
    [
      "shows the nearest request",
      { verb: "update", resource: "pods", name: "db" },
      [request({ verb: "get" }), request(), request({ resource: "nodes" })],
      "The fault fails never struck: it waits for a request with verb update, resource pods, name db; " +
        "the nearest was PUT /api/v1/namespaces/default/pods/web as alice, which differs in name: " +
        'fails({ verb: "update", resource: "pods", name: "web" }) would have struck it',
    ],
    [
      "says that too few came",
      { nth: 3 },
      [request()],
      "The fault fails never struck: it waits for any request, and lets 2 pass; " +
        "the last of them was PUT /api/v1/namespaces/default/pods/web as alice",
    ],
  ])("%s", (_title, options, seen, message) => {
    const { faults } = faultsOf(...seen);
    faults.inject(fails(options));
    expect(() => faults.check()).toThrow(new UnusedFaultError(message));
  });
});

test("a log keeps its newest requests, in order", () => {
  const log = new RequestLog(3);
  for (let n = 0; n < 100; n++) log.add(request({ name: String(n) }));
  expect(log.all.length).toBeLessThan(6);
  expect(log.all.slice(-3).map(({ name }) => name)).toEqual(["97", "98", "99"]);
  expect(log.matching({ name: "98" })).toHaveLength(1);
  log.clear();
  expect(log.all).toEqual([]);
});
