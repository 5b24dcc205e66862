import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/apimachinery/json.ts";
import { ConvertingServer, scheduleOf, schedules } from "./converting-server.ts";

const beta = "/apis/batch/v1beta1/namespaces/default/cronjobs";
const stored = "/apis/batch/v1/namespaces/default/cronjobs";
const apply = "application/apply-patch+yaml";
const merge = "application/merge-patch+json";

const cronJob = (version: string, name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: `batch/${version}`,
  kind: "CronJob",
  metadata: { name },
  spec: {
    schedule: version === "v1" ? schedules.stored : schedules.shown,
    jobTemplate: {
      spec: {
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    },
    ...spec,
  },
});

let server: ConvertingServer;

beforeEach(() => {
  server = new ConvertingServer();
});

/** Puts CronJobs into the store through the version that is stored, which nothing converts. */
async function store(...names: readonly string[]): Promise<void> {
  for (const name of names) expect((await server.send("POST", stored, cronJob("v1", name))).code).toBe(201);
  server.admitted.length = 0;
}

const itemsOf = (list: JsonObject): readonly JsonObject[] => list.items as readonly JsonObject[];

describe("a conversion that takes time", () => {
  test("is not asked for by an endpoint of the stored version", async () => {
    await store("a", "b");
    await server.send("PATCH", `${stored}/a`, { spec: { suspend: true } }, merge);
    await server.send("GET", stored);
    expect(server.batches).toEqual([]);
  });

  test("converts a page of a list in one call, and an object whose bytes are there not again", async () => {
    await store("a", "b", "c");
    const { body } = await server.send("GET", `${beta}?limit=2`);
    expect(itemsOf(body).map(scheduleOf)).toEqual([schedules.shown, schedules.shown]);
    expect(server.batches).toEqual(["v1beta1: a b"]);
    expect(itemsOf((await server.send("GET", beta)).body).map(scheduleOf)).toHaveLength(3);
    expect(scheduleOf((await server.send("GET", `${beta}/b`)).body)).toBe(schedules.shown);
    expect(server.batches).toEqual(["v1beta1: a b", "v1beta1: c"]);
  });

  test.each([
    ["application/yaml", ["v1beta1: a b", "v1beta1: a b"]],
    ["application/vnd.kubernetes.protobuf", ["v1beta1: a b"]],
    ["application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", ["v1beta1: a b", "v1beta1: a b"]],
    ["application/json;as=Table;v=v1;g=meta.k8s.io", []],
  ])("converts a list in %s in one call", async (accept, batches) => {
    await store("a", "b");
    for (let i = 0; i < 2; i++) {
      expect((await server.respond("GET", beta, undefined, "application/json", accept)).status).toBe(200);
    }
    expect(server.batches).toEqual(batches);
  });

  test("converts the objects of a Table only for rows that show them", async () => {
    await store("a", "b");
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const target = `${beta}?includeObject=Object`;
    const { body } = await server.respond("GET", target, undefined, "application/json", accept);
    const [piece] = body as readonly Uint8Array[];
    const { rows } = JSON.parse(new TextDecoder().decode(piece));
    expect(rows.map(({ object }: { object: JsonObject }) => scheduleOf(object))).toEqual([
      schedules.shown,
      schedules.shown,
    ]);
    // Cells are printed from what is stored.
    expect(rows[0].cells[1]).toBe(schedules.stored);
    expect(server.batches).toEqual(["v1beta1: a b"]);
  });
});

describe("a watch", () => {
  /** Reads so many events. */
  async function read(stream: AsyncIterator<Uint8Array>, count: number): Promise<readonly string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      const { value } = await stream.next();
      for (const line of new TextDecoder().decode(value).trim().split("\n")) {
        const { type, object } = JSON.parse(line);
        seen.push(`${type} ${object.metadata?.name ?? object.message} ${scheduleOf(object)}`.trim());
      }
    }
    return seen;
  }

  async function open(query = ""): Promise<AsyncIterator<Uint8Array>> {
    const { body } = await server.respond("GET", `${beta}?watch=true${query}`);
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  test("converts the initial objects together, then what it drained, in the order of the writes", async () => {
    await store("a", "b");
    const stream = await open();
    expect(await read(stream, 2)).toEqual([`ADDED a ${schedules.shown}`, `ADDED b ${schedules.shown}`]);
    await store("c");
    await server.send("PATCH", `${stored}/a`, { spec: { suspend: true } }, merge);
    await server.send("DELETE", `${stored}/b`);
    expect(await read(stream, 3)).toEqual([
      `ADDED c ${schedules.shown}`,
      `MODIFIED a ${schedules.shown}`,
      `DELETED b ${schedules.shown}`,
    ]);
    expect(server.batches).toEqual(["v1beta1: a b", "v1beta1: c a b"]);
    await stream.return?.();
  });

  test("sends events of writes during a conversion after those that it converts", async () => {
    await store("a");
    const stream = await open();
    const first = read(stream, 1);
    await store("b");
    await store("c");
    expect([...(await first), ...(await read(stream, 2))].map((event) => event.split(" ")[1])).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  test("shares the frames of a watch that converted the same events", async () => {
    await store("a", "b");
    await read(await open(), 2);
    await read(await open(), 2);
    expect(server.batches).toEqual(["v1beta1: a b"]);
  });

  test("ends with the error of a conversion that fails", async () => {
    await store("a");
    server.failing = "v1beta1";
    const stream = await open();
    expect(await read(stream, 1)).toEqual([expect.stringContaining("conversion webhook failed")]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe("a write through a version that is converted", () => {
  test.each<[string, method: string, path: string, JsonObject, contentType: string, operation: string]>([
    ["create", "POST", beta, cronJob("v1beta1", "n"), "application/json", "CREATE"],
    ["update", "PUT", `${beta}/a`, cronJob("v1beta1", "a", { suspend: true }), "application/json", "UPDATE"],
    ["merge patch", "PATCH", `${beta}/a`, { spec: { suspend: true } }, merge, "UPDATE"],
    [
      "strategic merge patch",
      "PATCH",
      `${beta}/a`,
      { spec: { suspend: true } },
      "application/strategic-merge-patch+json",
      "UPDATE",
    ],
    ["apply", "PATCH", `${beta}/a?fieldManager=m&force=true`, cronJob("v1beta1", "a"), apply, "UPDATE"],
    ["apply that creates", "PATCH", `${beta}/n?fieldManager=m`, cronJob("v1beta1", "n"), apply, "CREATE"],
  ])("%s: admission and the answer are in its version, storage is in its own", async (...write) => {
    const [, method, path, body, contentType, operation] = write;
    await store("a");
    const answer = await server.send(method, path, body, contentType);
    expect(answer).toMatchObject({ body: { apiVersion: "batch/v1beta1" } });
    expect(scheduleOf(answer.body)).toBe(schedules.shown);
    const seen = operation === "CREATE" ? [schedules.shown] : [schedules.shown, schedules.shown];
    expect(server.admitted).toEqual([
      [operation, "mutating", ...seen].join(", "),
      [operation, "validating", ...seen].join(", "),
    ]);
    const name = String((answer.body.metadata as JsonObject).name);
    expect(scheduleOf((await server.send("GET", `${stored}/${name}`)).body)).toBe(schedules.stored);
  });

  test("delete: admission sees the object in its version", async () => {
    await store("a");
    await server.send("DELETE", `${beta}/a`);
    expect(server.admitted).toEqual([
      `DELETE, mutating, ${schedules.shown}`,
      `DELETE, validating, ${schedules.shown}`,
    ]);
  });

  test("a patch that renames the version converts the document", async () => {
    await store("a");
    const { code, body } = await server.send(
      "PATCH",
      `${stored}/a`,
      { apiVersion: "batch/v1beta1", spec: { schedule: schedules.shown } },
      merge,
    );
    expect([code, body.apiVersion, scheduleOf(body)]).toEqual([200, "batch/v1", schedules.stored]);
    expect(server.batches).toEqual(["v1: a"]);
  });

  test("apply compares owners of several versions, and removes fields that no manager applies any more", async () => {
    const config = (version: string, spec: JsonObject): JsonObject => cronJob(version, "a", spec);
    const applied = (path: string, who: string, body: JsonObject) =>
      server.send("PATCH", `${path}/a?fieldManager=${who}`, body, apply);
    await applied(stored, "one", config("v1", { suspend: true }));
    const second = await applied(beta, "two", config("v1beta1", { startingDeadlineSeconds: 5 }));
    expect(second).toMatchObject({
      code: 200,
      body: { spec: { suspend: true, startingDeadlineSeconds: 5 } },
    });
    // The same manager in another version: fields that it no longer applies are removed.
    const third = await applied(beta, "one", config("v1beta1", {}));
    expect(third.code).toBe(200);
    expect(third.body.spec).not.toHaveProperty("suspend", true);
    const conflict = await applied(stored, "one", { ...config("v1", { startingDeadlineSeconds: 6 }) });
    expect(conflict).toMatchObject({ code: 409, body: { reason: "Conflict" } });
    expect(conflict.body.message).toContain('conflict with "two": .spec.startingDeadlineSeconds');
  });

  test.each<["v1" | "v1beta1", string, method: string, path: string, JsonValue, contentType: string]>([
    ["v1", "create", "POST", beta, cronJob("v1beta1", "n"), "application/json"],
    ["v1beta1", "create", "POST", beta, cronJob("v1beta1", "n"), "application/json"],
    ["v1", "update", "PUT", `${beta}/a`, cronJob("v1beta1", "a", { suspend: true }), "application/json"],
    ["v1beta1", "merge patch", "PATCH", `${beta}/a`, { spec: { suspend: true } }, merge],
    ["v1", "merge patch", "PATCH", `${beta}/a`, { spec: { suspend: true } }, merge],
    ["v1", "apply", "PATCH", `${beta}/a?fieldManager=m&force=true`, cronJob("v1beta1", "a"), apply],
    ["v1beta1", "apply", "PATCH", `${beta}/a?fieldManager=m&force=true`, cronJob("v1beta1", "a"), apply],
    ["v1beta1", "delete", "DELETE", `${beta}/a`, {}, "application/json"],
  ])("a conversion to %s that fails during %s answers its error and changes nothing", async (...write) => {
    const [failing, , method, path, body, contentType] = write;
    await store("a");
    const { revision } = server.store;
    server.failing = failing;
    expect(await server.send(method, path, body, contentType)).toMatchObject({
      code: 500,
      body: { message: "Internal error occurred: conversion webhook failed" },
    });
    expect(server.store.revision).toBe(revision);
  });
});
