import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const core = "/api/v1/namespaces/default/events";
const events = "/apis/events.k8s.io/v1/namespaces/default/events";
const pod = { kind: "Pod", name: "p", namespace: "default" };
const good = {
  eventTime: "2020-01-01T00:00:00.000000Z",
  reportingController: "a.b/c",
  reportingInstance: "i",
  action: "A",
  reason: "R",
  type: "Normal",
  regarding: pod,
  note: "n",
};

describe("an Event of the core group is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "another namespace",
      { involvedObject: { ...pod, namespace: "other" } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
    [
      "a time of its own and nothing else",
      { involvedObject: pod, eventTime: good.eventTime },
      [
        "reportingComponent: Required value",
        'reportingComponent: Invalid value: "": name part must be non-empty',
        expect.stringContaining('reportingComponent: Invalid value: "": name part must consist of'),
        "reportingInstance: Required value",
        "action: Required value",
        "reason: Required value",
      ],
    ],
    [
      "long texts",
      {
        involvedObject: pod,
        eventTime: good.eventTime,
        reportingComponent: "a",
        reportingInstance: "i".repeat(129),
        action: "a".repeat(129),
        reason: "r".repeat(129),
        message: "m".repeat(1025),
      },
      [
        ...["reportingInstance", "action", "reason"].map(
          (field) => `${field}: Invalid value: "": can have at most 128 characters`,
        ),
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
  ])("%s", async (_title, fields, findings) => {
    const answer = await asking(quietCluster())("POST", core, { metadata: { name: "e" }, ...fields });
    expect(answer.findings).toEqual(findings);
  });
});

describe("an Event of events.k8s.io is refused for", () => {
  test.each<[string, object, readonly string[]]>([
    ["no time", { eventTime: null }, ["eventTime: Required value"]],
    ["a type that is none", { type: "T" }, ['type: Invalid value: "": has invalid value: T']],
    ["no controller", { reportingController: "" }, ["reportingController: Required value"]],
    [
      "a series of one",
      { series: { count: 1, lastObservedTime: null } },
      ['series.count: Invalid value: "": should be at least 2', "series.lastObservedTime: Required value"],
    ],
    [
      "what events had of old",
      {
        deprecatedFirstTimestamp: "2020-01-01T00:00:00Z",
        deprecatedLastTimestamp: "2020-01-01T00:00:00Z",
        deprecatedCount: 1,
        deprecatedSource: { component: "c" },
      },
      ["firstTimestamp", "lastTimestamp", "count", "source"].map(
        (field) => `${field}: Invalid value: "": needs to be unset`,
      ),
    ],
  ])("%s", async (_title, change, findings) => {
    const body = { metadata: { name: "e" }, ...good, ...change };
    const answer = await asking(quietCluster())("POST", events, body);
    expect(answer.findings.slice(0, findings.length)).toEqual(findings);
  });
});

describe("a changed Event of events.k8s.io", () => {
  const fixed = "field is immutable";

  test("is what it was", async () => {
    const ask = asking(quietCluster());
    await ask("POST", events, { metadata: { name: "e" }, ...good });
    const related = { kind: "Node", name: "n" };
    const change = { regarding: { name: "q" }, note: "m", eventTime: "2020-01-02T00:00:00.000000Z", related };
    expect((await ask("PATCH", `${events}/e`, change)).findings).toEqual([
      `involvedObject: Invalid value: core.ObjectReference{Kind:"Pod", Namespace:"default", Name:"q", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}: ${fixed}`,
      `message: Invalid value: "m": ${fixed}`,
      `eventTime: Invalid value: 2020-01-02 00:00:00 +0000 UTC: ${fixed}`,
      `related: Invalid value: core.ObjectReference{Kind:"Node", Namespace:"", Name:"n", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}: ${fixed}`,
    ]);
  });

  test("goes on as a series", async () => {
    const ask = asking(quietCluster());
    await ask("POST", events, { metadata: { name: "e" }, ...good });
    const series = { count: 2, lastObservedTime: "2020-01-01T00:00:01.000000Z" };
    expect((await ask("PATCH", `${events}/e`, { series })).code).toBe(200);
  });

  test("may be anything by way of the core group", async () => {
    const ask = asking(quietCluster());
    await ask("POST", events, { metadata: { name: "e" }, ...good });
    expect((await ask("PATCH", `${core}/e`, { message: "m" })).code).toBe(200);
  });
});
