import { describe, expect, test } from "vitest";
import { VirtualClock } from "../apimachinery/clock.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import { Faults, UnusedFaultError } from "./faults.ts";
import { type LoggedRequest, openEntry } from "./logged-request.ts";
import { OpenWatches } from "./open-watches.ts";
import { RequestLog } from "./request-log.ts";
import { type ScenarioExtras, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

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
  takeDown: () => () => {},
  interrupt: () => () => {},
  watches: new OpenWatches(),
  viewOf: () => {
    throw new Error("these scenarios do not read the state");
  },
  expireHistory: () => {},
  simulate: () => () => {},
  holdEstablishment: () => () => {},
};

const fails = (options: ScenarioOptions, extras: ScenarioExtras = {}) =>
  scenario("fails", {}, options, async () => ({ status: 500, headers: [], body: undefined }), extras);

function faultsOf(...seen: readonly LoggedRequest[]): { faults: Faults; log: RequestLog } {
  const log = new RequestLog(10);
  for (const one of seen) log.add(one);
  return { log, faults: new Faults(log, cluster) };
}

/** Whether a fault takes the request; its effect then reaches the client. */
function hits(faults: Faults, one: LoggedRequest = request()): boolean {
  const strike = faults.take(one);
  strike?.struck();
  return strike !== undefined;
}

describe("a fault hits", () => {
  test.each<[string, ScenarioOptions, Partial<LoggedRequest>, boolean]>([
    ["any request", {}, {}, true],
    ["a request with its verb", { verb: "update" }, {}, true],
    ["a request with one of its verbs", { verb: ["patch", "update"] }, {}, true],
    ["no request with another verb", { verb: ["patch", "delete"] }, {}, false],
    ["a request for its resource", { resource: "pods" }, {}, true],
    ["no request for another resource", { resource: "nodes" }, {}, false],
    ["no request for another group", { group: "apps" }, {}, false],
    [
      "no request for a subresource if its scope means the object",
      { subresource: "" },
      { subresource: "status" },
      false,
    ],
    ["a request with its namespace and name", { namespace: "default", name: "web" }, {}, true],
    ["no request with another name", { name: "db" }, {}, false],
    ["a request for its path", { path: /^\/api\/v1\// }, {}, true],
    ["no request for another path", { path: "/apis" }, {}, false],
    ["a request of its user", { user: "alice" }, {}, true],
    ["no request of another user", { user: "bob" }, {}, false],
    ["a request whose user agent contains the text", { userAgent: "kubectl" }, {}, true],
    ["no request with another user agent", { userAgent: /^helm/ }, {}, false],
  ])("%s", (_title, scope, parts, expected) => {
    const { faults } = faultsOf();
    faults.inject(fails(scope));
    expect(hits(faults, request(parts))).toBe(expected);
  });

  test.each([
    ["once", {}, [true, false, false, false]],
    ["twice", { times: 2 }, [true, true, false, false]],
    ["from the n-th request on", { nth: 3 }, [false, false, true, false]],
    ["twice from the n-th request on", { nth: 2, times: 2 }, [false, true, true, false]],
  ])("%s", (_title, options, expected) => {
    const { faults } = faultsOf();
    faults.inject(fails(options));
    expect(expected.map(() => hits(faults))).toEqual(expected);
  });

  test("before faults that were injected later, which then follow", () => {
    const { faults } = faultsOf();
    const [first, second] = [faults.inject(fails({})), faults.inject(fails({}))];
    const counts = [];
    for (let n = 0; n < 2; n++) {
      hits(faults);
      counts.push([first.hits, second.hits]);
    }
    expect(counts).toEqual([
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
    hits(faults);
    hits(faults);
    expect(await twice).toBe(2);
    await fault.hit();
  });

  test("does not wait for hits that have struck already, even if its fault is over", async () => {
    const { faults } = faultsOf();
    const fault = faults.inject(fails({ times: 2 }));
    hits(faults);
    await fault.hit();
    hits(faults);
    expect(fault.isOver).toBe(true);
    await fault.hit();
    await fault.hit(2);
    await expect(fault.hit(3)).rejects.toThrow("The fault fails ended after 2 hits");
    fault.remove();
    await fault.hit(2);
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

describe("a fault with a duration", () => {
  test("ends by the clock of the cluster", async () => {
    const { faults } = faultsOf();
    const fault = faults.inject(fails({ times: 5, lasting: "10s" }));
    await clock.advance("9s");
    expect(hits(faults)).toBe(true);
    const waiting = fault.hit(2);
    const [outcome] = await Promise.allSettled([waiting, clock.advance("1s")]);
    expect(outcome).toMatchObject({ reason: { message: "The fault fails ended after 1 hit" } });
    expect([fault.isOver, faults.take(request()), faults.inForce]).toEqual([true, undefined, []]);
  });

  test.each<[string, ScenarioOptions, (faults: Faults) => void]>([
    ["has reached its number of hits", { times: 1 }, (faults) => hits(faults)],
    ["was removed", {}, (faults) => faults.inForce[0]?.remove()],
    ["was checked", {}, (faults) => faults.check()],
  ])("reverts its effect on the cluster once when it %s", (_title, options, finish) => {
    const { faults } = faultsOf();
    const order: string[] = [];
    const begin = (_cluster: ClusterControls, hit: () => void) => {
      order.push("begins");
      if (options.times === undefined) hit();
      return () => order.push("ends");
    };
    const fault = faults.inject(fails({ times: 9, ...options }, { begin }));
    expect(order).toEqual(["begins"]);
    finish(faults);
    fault.remove();
    expect([order, fault.hits]).toEqual([["begins", "ends"], 1]);
  });
});

test("a fault skips requests that it would not affect", () => {
  const need = {
    text: "that says no",
    reason: "it needs to say no",
    holds: ({ target }: LoggedRequest) => target.includes("no"),
  };
  const seen = [request({ target: "/yes" })];
  const { faults } = faultsOf(...seen);
  const fault = faults.inject(fails({ nth: 2 }, { need }));
  const targets = ["/yes", "/no", "/yes", "/no"];
  const taken = targets.map((target) => hits(faults, request({ target })));
  expect([taken, fault.hits]).toEqual([[false, false, false, true], 1]);
  faults.inject(fails({ verb: "update" }, { need }));
  expect(() => faults.check()).toThrow(
    "The fault fails was never used: it waits for a request with verb update that says no; the nearest request was PUT /yes as alice: it needs to say no",
  );
});

describe("the check at the end of a test", () => {
  test("passes if every fault was used, and ends all faults", () => {
    const { faults } = faultsOf();
    faults.inject(fails({ times: 5 }));
    hits(faults);
    expect(faults.inForce).toHaveLength(1);
    faults.check();
    expect(faults.inForce).toEqual([]);
  });

  test("reports a fault that was removed before it was used", () => {
    const { faults } = faultsOf();
    faults.inject(fails({})).remove();
    expect(() => faults.check()).toThrow(UnusedFaultError);
    faults.check();
  });

  test.each<[string, ScenarioOptions, readonly LoggedRequest[], string]>([
    [
      "says that there were no requests",
      { verb: "list" },
      [],
      "The fault fails was never used: it waits for a request with verb list; there were no requests",
    ],
    [
      "shows the nearest request",
      { verb: "update", resource: "pods", name: "db" },
      [request({ verb: "get" }), request(), request({ resource: "nodes" })],
      "The fault fails was never used: it waits for a request with verb update, resource pods, name db; " +
        "the nearest request was PUT /api/v1/namespaces/default/pods/web as alice, which differs in name: " +
        'fails({ verb: "update", resource: "pods", name: "web" }) would have matched it',
    ],
    [
      "says that there were too few requests",
      { nth: 3 },
      [request()],
      "The fault fails was never used: it waits for any request, and skips the first 2; " +
        "the last one was PUT /api/v1/namespaces/default/pods/web as alice",
    ],
  ])("%s", (_title, options, seen, message) => {
    const { faults } = faultsOf(...seen);
    faults.inject(fails(options));
    expect(() => faults.check()).toThrow(new UnusedFaultError(message));
  });
});

test("a log keeps its newest requests in order", () => {
  const log = new RequestLog(3);
  for (let n = 0; n < 100; n++) log.add(request({ name: String(n) }));
  expect(log.all.length).toBeLessThan(6);
  expect(log.all.slice(-3).map(({ name }) => name)).toEqual(["97", "98", "99"]);
  expect(log.matching({ name: "98" })).toHaveLength(1);
  log.clear();
  expect(log.all).toEqual([]);
});
