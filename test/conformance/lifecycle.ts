import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import type { Client } from "../transports/clients.ts";
import { type Answered, type Api, apiOf } from "./api.ts";
import { clientBehindMasks } from "./masked-names.ts";
import { ObservedCluster } from "./observed-cluster.ts";
import { document, fieldsOf, first, openDocument, textOf } from "./protobuf-bytes.ts";

/** Connects a client to a cluster; `close` of the client releases the connection. */
export type Connect = (cluster: ObservedCluster) => Promise<Client> | Client;

const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);

/** The life of objects as a client sees it through any transport, with the real names and with masked ones. */
export function lifecycle(title: string, connect: Connect): void {
  describe.each(["kubernetes", "svc"] as const)(`${title}, the names of %s`, (identifiers) => {
    const server = new ObservedCluster(createCluster({ controllers: [], identifiers }));
    let client: Client;
    let api: Api;
    beforeAll(async () => {
      const connected = await connect(server);
      client = identifiers === "svc" ? clientBehindMasks(connected) : connected;
      api = apiOf(client, server.adminToken());
    });
    afterAll(async () => {
      await client.close?.();
      await server.cluster.close();
    });

    /** The path of a new namespace for a test, with its initial objects. */
    const home = async (namespace: string, names: readonly string[] = []): Promise<string> => {
      const made = await api.ask("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
      expect(made.status).toBe(201);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      for (const name of names) await api.ask("POST", path, { body: configMap(name) });
      return path;
    };

    test("a created object has the server's fields, and a read returns the same", async () => {
      const path = await home("create");
      const created = await api.ask("POST", path, {
        body: configMap("one", { color: "blue", "color-2": "é \u2028 <&>" }),
      });
      expect(created.status).toBe(201);
      expect(created.header("content-type")).toBe("application/json");
      expect(created.header("cache-control")).toBe("no-cache, private");
      expect(created.object).toMatchObject({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { name: "one", namespace: "create", uid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        data: { color: "blue", "color-2": "é \u2028 <&>" },
      });
      expect(created.text).toMatch(/^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"one"/);
      const read = await api.ask("GET", `${path}/one`);
      expect(read.status).toBe(200);
      expect(read.text).toBe(created.text);
    });

    test("a list is sorted by name, and paged on request", async () => {
      const path = await home("list", ["c", "a", "b"]);
      const whole = await api.ask("GET", path);
      expect(whole.object.kind).toBe("ConfigMapList");
      expect(namesOf(whole.object)).toEqual(["a", "b", "c"]);
      const first = await api.ask("GET", `${path}?limit=2`);
      expect(namesOf(first.object)).toEqual(["a", "b"]);
      expect(first.object.metadata.remainingItemCount).toBe(1);
      const token = encodeURIComponent(first.object.metadata.continue ?? "");
      await api.ask("POST", path, { body: configMap("d") });
      const second = await api.ask("GET", `${path}?limit=2&continue=${token}`);
      expect(namesOf(second.object)).toEqual(["c"]);
      expect(second.object.metadata.resourceVersion).toBe(first.object.metadata.resourceVersion);
      const selected = await api.ask("GET", `${path}?fieldSelector=metadata.name%3Dd`);
      expect(namesOf(selected.object)).toEqual(["d"]);
    });

    test("a watch delivers each event while it is open", async () => {
      const path = await home("watch", ["before"]);
      const { resourceVersion } = (await api.ask("GET", path)).object.metadata;
      const watch = await api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
      expect([watch.status, watch.contentType]).toEqual([200, "application/json"]);
      const created = await api.ask("POST", path, { body: configMap("x", { step: "1" }) });
      expect(await watch.next()).toEqual({ type: "ADDED", object: created.object });
      const changed = { ...created.object, data: { step: "2" } };
      const updated = await api.ask("PUT", `${path}/x`, { body: changed });
      expect(await watch.next()).toEqual({ type: "MODIFIED", object: updated.object });
      await api.ask("DELETE", `${path}/x`);
      const gone = await watch.next();
      expect(gone).toMatchObject({ type: "DELETED", object: { data: { step: "2" } } });
      expect(Number(gone?.object.metadata.resourceVersion)).toBeGreaterThan(
        Number(updated.object.metadata.resourceVersion),
      );
      watch.leave();
      await server.allEnded();
    });

    test("a watch misses no event between its answer and the first read", async () => {
      const path = await home("late-read", ["before"]);
      const watch = await api.watch(`${path}?watch=1`);
      const created = await api.ask("POST", path, { body: configMap("x") });
      await api.ask("PUT", `${path}/x`, { body: { ...created.object, data: { step: "2" } } });
      await api.ask("DELETE", `${path}/x`);
      const seen: string[] = [];
      while (seen.length < 4) {
        const event = await watch.next();
        seen.push(`${event?.type} ${event?.object.metadata.name}`);
      }
      expect(seen).toEqual(["ADDED before", "ADDED x", "MODIFIED x", "DELETED x"]);
      watch.leave();
      await server.allEnded();
    });

    test("a watch without a resourceVersion starts with the current objects", async () => {
      const path = await home("initial", ["b", "a"]);
      const watch = await api.watch(`${path}?watch=1&allowWatchBookmarks=true`);
      const events = [await watch.next(), await watch.next(), await watch.next()];
      expect(events.map((event) => event?.type)).toEqual(["ADDED", "ADDED", "BOOKMARK"]);
      expect(events[2]?.object.metadata).toMatchObject({
        annotations: { "k8s.io/initial-events-end": "true" },
      });
      watch.leave();
      await server.allEnded();
    });

    test.each([
      ["before the first event", ""],
      ["after the first event", "ADDED"],
    ])("a watch ends on the server when its client disconnects %s", async (_title, type) => {
      const namespace = type === "" ? "leave-early" : "leave";
      const path = await home(namespace);
      const watch = await api.watch(`${path}?watch=1`);
      expect(server.openStreams).toBe(1);
      if (type !== "") {
        await api.ask("POST", path, { body: configMap("one") });
        expect((await watch.next())?.type).toBe(type);
      }
      watch.leave();
      await server.allEnded();
      expect(server.openStreams).toBe(0);
    });

    test("many watches receive the same event, and each ends with its client", async () => {
      const path = await home("many");
      const watches = await Promise.all(Array.from({ length: 20 }, () => api.watch(`${path}?watch=1`)));
      await api.ask("POST", path, { body: configMap("one") });
      for (const watch of watches) expect((await watch.next())?.object.metadata.name).toBe("one");
      for (const watch of watches) watch.leave();
      await server.allEnded();
    });

    test("a watch ends by itself after its timeout", async () => {
      const path = await home("timeout", ["one"]);
      const watch = await api.watch(`${path}?watch=1&timeoutSeconds=1`);
      expect((await watch.next())?.type).toBe("ADDED");
      expect(await watch.next()).toBeUndefined();
      await server.allEnded();
    });

    test("a watch from an expired resourceVersion receives 410 in the stream", async () => {
      const path = await home("compacted", ["one"]);
      const { resourceVersion } = (await api.ask("GET", path)).object.metadata;
      await api.ask("DELETE", `${path}/one`);
      server.cluster.compact();
      const watch = await api.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
      expect(watch.status).toBe(200);
      expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
      expect(await watch.next()).toBeUndefined();
      await server.allEnded();
    });

    test("an update with an old resourceVersion is a conflict and changes nothing", async () => {
      const path = await home("update");
      const created = await api.ask("POST", path, { body: configMap("one", { by: "nobody" }) });
      const mine = { ...created.object, data: { by: "me" } };
      const updated = await api.ask("PUT", `${path}/one`, { body: mine });
      expect(updated.status).toBe(200);
      expect(updated.object.metadata.uid).toBe(created.object.metadata.uid);
      const refused = await api.ask("PUT", `${path}/one`, { body: { ...mine, data: { by: "them" } } });
      expect([refused.status, refused.text]).toEqual([
        409,
        failure(
          'Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your ' +
            "changes to the latest version and try again",
          "Conflict",
          '"details":{"name":"one","kind":"configmaps"},',
          409,
        ),
      ]);
      expect((await api.ask("GET", `${path}/one`)).text).toBe(updated.text);
    });

    test("a deleted object is gone", async () => {
      const path = await home("delete", ["one"]);
      const { uid } = (await api.ask("GET", `${path}/one`)).object.metadata;
      const deleted = await api.ask("DELETE", `${path}/one`, { body: { preconditions: { uid } } });
      expect([deleted.status, deleted.text]).toEqual([
        200,
        '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",' +
          `"details":{"name":"one","kind":"configmaps","uid":"${uid}"}}\n`,
      ]);
      const missing = await api.ask("GET", `${path}/one`);
      expect([missing.status, missing.text]).toEqual([
        404,
        failure(
          'configmaps "one" not found',
          "NotFound",
          '"details":{"name":"one","kind":"configmaps"},',
          404,
        ),
      ]);
    });

    test("deleting a collection by selector returns the deleted objects", async () => {
      const path = await home("deletecollection", ["kept"]);
      for (const name of ["b", "a"]) {
        const metadata = { name, labels: { go: "yes" } };
        await api.ask("POST", path, { body: { metadata } });
      }
      const deleted = await api.ask("DELETE", `${path}?labelSelector=go%3Dyes`);
      expect([deleted.status, deleted.object.kind]).toEqual([200, "ConfigMapList"]);
      expect(namesOf(deleted.object)).toEqual(["a", "b"]);
      expect(namesOf((await api.ask("GET", path)).object)).toEqual(["kept"]);
    });

    test("an existing name is 409, an invalid one 422", async () => {
      const path = await home("refuse", ["one"]);
      const taken = await api.ask("POST", path, { body: configMap("one") });
      expect([taken.status, taken.text]).toEqual([
        409,
        failure(
          'configmaps "one" already exists',
          "AlreadyExists",
          '"details":{"name":"one","kind":"configmaps"},',
          409,
        ),
      ]);
      const invalid = await api.ask("POST", path, { body: configMap("Not_Valid") });
      expect(invalid.status).toBe(422);
      expect(invalid.object).toMatchObject({
        reason: "Invalid",
        message: expect.stringMatching(
          /^ConfigMap "Not_Valid" is invalid: metadata\.name: Invalid value: "Not_Valid"/,
        ),
        details: {
          name: "Not_Valid",
          kind: "ConfigMap",
          causes: [{ reason: "FieldValueInvalid", field: "metadata.name" }],
        },
      });
    });

    test("protobuf bodies of requests and responses arrive intact", async () => {
      const path = await home("protobuf");
      const message = document("v1", "ConfigMap", [
        [1, [[1, "bytes"]]],
        [
          2,
          [
            [1, "color-2"],
            [2, "é"],
          ],
        ],
        [
          3,
          [
            [1, "all"],
            [2, everyByte],
          ],
        ],
      ]);
      const protobuf = "application/vnd.kubernetes.protobuf";
      const headers = { "content-type": protobuf, accept: protobuf };
      const created = await api.ask("POST", path, { body: message, headers });
      expect([created.status, created.header("content-type")]).toEqual([201, protobuf]);
      const { apiVersion, kind, fields } = openDocument(created.bytes);
      expect([apiVersion, kind, textOf(fieldsOf(first(fields, 1)), 1)]).toEqual(["v1", "ConfigMap", "bytes"]);
      expect(first(fieldsOf(first(fields, 3)), 2)).toEqual(everyByte);
      expect((await api.ask("GET", `${path}/bytes`)).object).toMatchObject({
        data: { "color-2": "é" },
        binaryData: { all: Buffer.from(everyByte).toString("base64") },
      });
      const again = await api.ask("PUT", `${path}/bytes`, { body: created.bytes, headers });
      expect(again.status).toBe(200);
      expect(again.bytes).toEqual(created.bytes);
    });

    test("YAML bodies of requests and responses work", async () => {
      const path = await home("yaml");
      const headers = { "content-type": "application/yaml", accept: "application/yaml" };
      const body =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  yes: 'on'\n  text: |\n    é\n";
      const created = await api.ask("POST", path, { body, headers });
      expect([created.status, created.header("content-type")]).toEqual([201, "application/yaml"]);
      expect(created.text).toMatch(/^apiVersion: v1\ndata:\n {2}text: \|\n {4}é\n/);
      expect((await api.ask("GET", `${path}/one`)).object.data).toEqual({ true: "on", text: "é\n" });
    });

    test("a large list arrives completely", async () => {
      const path = await home("large");
      const data = { text: "é".repeat(50_000) };
      for (let index = 0; index < 50; index += 1) {
        await api.ask("POST", path, { body: configMap(`c-${index}`, data) });
      }
      const list = (await api.ask("GET", path)).object;
      expect(list.items.map((item) => item.data)).toEqual(list.items.map(() => data));
      expect(list.items).toHaveLength(50);
    });

    test("warnings are headers", async () => {
      const path = await home("warn");
      const body = { ...configMap("one"), colour: "blue", color: "blue" };
      const created = await api.ask("POST", path, { body });
      expect(created.header("warning")).toBe(
        '299 - "unknown field \\"colour\\"", 299 - "unknown field \\"color\\""',
      );
    });

    test("an unknown user is 401, and nothing changes", async () => {
      const path = await home("unknown");
      const stranger = apiOf(client, "no-such-token");
      const refused = await stranger.ask("POST", path, { body: configMap("one") });
      expect([refused.status, refused.text]).toEqual([401, failure("Unauthorized", "Unauthorized", "", 401)]);
      expect((await api.ask("GET", path)).object.items).toEqual([]);
    });

    test("an unknown path outside all groups returns plain text", async () => {
      const answer = await api.ask("GET", "/nowhere");
      expect([answer.status, answer.header("content-type"), answer.text]).toEqual([
        404,
        "text/plain; charset=utf-8",
        "404 page not found\n",
      ]);
    });
  });
}

function configMap(name: string, data: { readonly [key: string]: string } = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function namesOf(list: Answered): readonly string[] {
  return list.items.map(({ metadata }) => metadata.name);
}

/** The exact Status of a failure. */
function failure(message: string, reason: string, details: string, code: number): string {
  const head = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure"';
  return `${head},"message":${JSON.stringify(message)},"reason":"${reason}",${details}"code":${code}}\n`;
}
