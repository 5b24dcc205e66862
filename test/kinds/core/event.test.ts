import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { addEventErrors } from "../../../src/kinds/core/event/event-validation.ts";
import { fieldErrorLines } from "../../field-errors.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

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
      "only an event time",
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
    const answer = await testClient(quietCluster())("POST", core, { metadata: { name: "e" }, ...fields });
    expect(answer.findings).toEqual(findings);
  });

  test.each<[string, object, readonly string[]]>([
    ["", {}, ['involvedObject.namespace: Invalid value: "": does not match event.namespace']],
    [
      "that has a time",
      {
        eventTime: good.eventTime,
        reportingComponent: "a",
        reportingInstance: "i",
        action: "a",
        reason: "r",
      },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
  ])("a cluster-scoped object, outside the namespace for such events %s", async (_title, more, findings) => {
    const send = testClient(quietCluster());
    const node = { involvedObject: { kind: "Node", name: "n" }, ...more };
    const inNamespace = (namespace: string) =>
      send("POST", core.replace("default", namespace), { metadata: { name: "e" }, ...node });
    expect((await inNamespace("kube-public")).findings).toEqual(findings);
    expect((await inNamespace("default")).code).toBe(201);
  });

  test("an invalid namespace, if it existed", () => {
    const event = {
      metadata: { namespace: "N_" },
      involvedObject: { namespace: "N_" },
    } as unknown as KubeObject;
    expect(
      fieldErrorLines(collectErrors((errors) => addEventErrors(errors, event, "reportingComponent"))),
    ).toEqual([expect.stringMatching(/^namespace: Invalid value: "N_": a lowercase RFC 1123 subdomain/)]);
  });
});

test("an Event has empty fields for unset values", async () => {
  const { object } = await testClient(quietCluster())("POST", core, {
    metadata: { name: "e" },
    involvedObject: pod,
  });
  expect(object).toMatchObject({
    eventTime: null,
    reportingComponent: "",
    reportingInstance: "",
    source: {},
  });
});

test("an Event of events.k8s.io/v1beta1 is validated like one of the core group, except for its name", async () => {
  const send = testClient(quietCluster({ release: "1.24" }));
  const beta = events.replace("/v1/", "/v1beta1/");
  const old = { regarding: pod, deprecatedCount: 3 };
  expect((await send("POST", beta, { metadata: { name: "e" }, ...old })).code).toBe(201);
  expect((await send("PATCH", `${beta}/e`, { note: "m", deprecatedCount: 4 })).code).toBe(200);
  const { findings } = await send("POST", beta, {
    metadata: { name: "f" },
    ...good,
    reportingController: "a b",
  });
  expect(findings).toEqual([
    expect.stringContaining('reportingController: Invalid value: "a b": name part must consist of'),
  ]);
});

describe("an Event of events.k8s.io is refused for", () => {
  test.each<[string, object, readonly string[]]>([
    ["no time", { eventTime: null }, ["eventTime: Required value"]],
    ["an invalid type", { type: "T" }, ['type: Invalid value: "": has invalid value: T']],
    ["no controller", { reportingController: "" }, ["reportingController: Required value"]],
    [
      "a series of one",
      { series: { count: 1, lastObservedTime: null } },
      ['series.count: Invalid value: "": should be at least 2', "series.lastObservedTime: Required value"],
    ],
    [
      "deprecated fields",
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
    const answer = await testClient(quietCluster())("POST", events, body);
    expect(answer.findings.slice(0, findings.length)).toEqual(findings);
  });
});

describe("a changed Event of events.k8s.io", () => {
  const fixed = "field is immutable";

  test("is immutable", async () => {
    const send = testClient(quietCluster());
    await send("POST", events, { metadata: { name: "e" }, ...good });
    const related = { kind: "Node", name: "n" };
    const change = { regarding: { name: "q" }, note: "m", eventTime: "2020-01-02T00:00:00.000000Z", related };
    const all = {
      ...change,
      reason: "S",
      deprecatedSource: { component: "c" },
      deprecatedFirstTimestamp: "2020-01-02T00:00:00Z",
      deprecatedLastTimestamp: "2020-01-03T00:00:00Z",
      deprecatedCount: 2,
      type: "Warning",
      action: "B",
      reportingController: "d.e/f",
      reportingInstance: "j",
    };
    expect((await send("PATCH", `${events}/e`, all)).findings).toEqual([
      expect.stringMatching(/^involvedObject: /),
      `reason: Invalid value: "S": ${fixed}`,
      `message: Invalid value: "m": ${fixed}`,
      `source: Invalid value: core.EventSource{Component:"c", Host:""}: ${fixed}`,
      `firstTimestamp: Invalid value: 2020-01-02 00:00:00 +0000 UTC: ${fixed}`,
      `lastTimestamp: Invalid value: 2020-01-03 00:00:00 +0000 UTC: ${fixed}`,
      `count: Invalid value: 2: ${fixed}`,
      `reason: Invalid value: "S": ${fixed}`,
      `type: Invalid value: "Warning": ${fixed}`,
      `eventTime: Invalid value: 2020-01-02 00:00:00 +0000 UTC: ${fixed}`,
      `action: Invalid value: "B": ${fixed}`,
      expect.stringMatching(/^related: /),
      `reportingController: Invalid value: "d.e/f": ${fixed}`,
      `reportingInstance: Invalid value: "j": ${fixed}`,
    ]);
    expect((await send("PATCH", `${events}/e`, change)).findings).toEqual([
      `involvedObject: Invalid value: core.ObjectReference{Kind:"Pod", Namespace:"default", Name:"q", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}: ${fixed}`,
      `message: Invalid value: "m": ${fixed}`,
      `eventTime: Invalid value: 2020-01-02 00:00:00 +0000 UTC: ${fixed}`,
      `related: Invalid value: core.ObjectReference{Kind:"Node", Namespace:"", Name:"n", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}: ${fixed}`,
    ]);
  });

  test("reports invalid metadata three times", async () => {
    const send = testClient(quietCluster());
    await send("POST", events, { metadata: { name: "e" }, ...good });
    const { findings } = await send("PATCH", `${events}/e`, { metadata: { labels: { a: "b c" } } });
    expect(findings).toHaveLength(3);
  });

  test("must not lose its related object, nor have a series of one", async () => {
    const send = testClient(quietCluster());
    const related = { kind: "Node", name: "n" };
    await send("POST", events, { metadata: { name: "e" }, ...good, related });
    const change = { related: null, series: { count: 1, lastObservedTime: good.eventTime } };
    expect((await send("PATCH", `${events}/e`, change)).findings).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      `related: Invalid value: "null": ${fixed}`,
    ]);
  });

  test("can become a series", async () => {
    const send = testClient(quietCluster());
    await send("POST", events, { metadata: { name: "e" }, ...good });
    const series = { count: 2, lastObservedTime: "2020-01-01T00:00:01.000000Z" };
    expect((await send("PATCH", `${events}/e`, { series })).code).toBe(200);
  });

  test("is not validated through the core group", async () => {
    const send = testClient(quietCluster());
    await send("POST", events, { metadata: { name: "e" }, ...good });
    expect((await send("PATCH", `${core}/e`, { message: "m" })).code).toBe(200);
  });
});
