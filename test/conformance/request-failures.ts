import * as presets from "../../src/scenario/presets.ts";
import type { Failure } from "./failure.ts";
import { create, patch, requesting, take } from "./failure-encounters.ts";
import { configMaps } from "./failure-world.ts";

/** The failures of requests, as a client sees them through any transport. */
export const requestFailures = {
  conflict: {
    what: "409: another writer changes the object between read and write",
    meet: async (world) => {
      const path = `${configMaps}/a`;
      const object = await world.read<object>(path);
      world.inject(presets.conflict());
      const body = Buffer.from(JSON.stringify(object));
      const put = { method: "PUT", headers: [["content-type", "application/json"]] as const, body };
      return [await world.ask(path, put)];
    },
    expected: ["409 Conflict"],
  },
  continueExpired: {
    what: "410: the continue token of a list has expired",
    meet: async (world) => {
      world.inject(presets.continueExpired());
      const { metadata } = await world.read<{ metadata: { continue: string } }>(`${configMaps}?limit=1`);
      return [await world.ask(`${configMaps}?limit=1&continue=${metadata.continue}`)];
    },
    expected: ["410 Expired"],
  },
  crdNotReady: {
    what: "404: a custom resource is not served yet",
    meet: requesting(() => presets.crdNotReady({ group: "batch", version: "v1" }), "/apis/batch/v1/jobs"),
    expected: ["404 404 page not found", "200 JobList"],
  },
  delayUntilWatched: {
    what: "the response to a write arrives after its own watch event",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const fault = world.inject(presets.delayUntilWatched());
      const order: string[] = [];
      const answered = world.ask(`${configMaps}/a`, patch).then((answer) => order.push(answer));
      await fault.hit();
      order.push(await watch.next());
      void watch.next();
      await answered;
      return order;
    },
    expected: ["MODIFIED a", "200 ConfigMap"],
  },
  deleteReturns: {
    what: "a delete returns a Status, or the object",
    meet: async (world) => {
      world.inject(presets.deleteReturns("object"));
      return [await world.ask(`${configMaps}/a`, { method: "DELETE" })];
    },
    expected: ["200 ConfigMap"],
  },
  emptyAsNull: {
    what: "empty lists and maps are null",
    meet: async (world) => {
      world.inject(presets.emptyAsNull());
      const { items } = await world.read<{ items: unknown }>("/api/v1/namespaces/nowhere/configmaps");
      return [String(items)];
    },
    expected: ["null"],
  },
  etcdLeaderChange: {
    what: "500: etcd currently has no leader",
    meet: requesting(presets.etcdLeaderChange, configMaps),
    expected: ["500 etcdserver: leader changed", "200 ConfigMapList"],
  },
  groupDown: {
    what: "503: the server behind an aggregated API is down",
    meet: requesting(() => presets.groupDown({ group: "batch", version: "v1" }), "/apis/batch/v1/jobs"),
    expected: ["503 service unavailable", "200 JobList"],
  },
  namespaceTerminating: {
    what: "403: the namespace is terminating",
    meet: requesting(presets.namespaceTerminating, configMaps, create("d")),
    expected: ["403 Forbidden", "201 ConfigMap"],
  },
  notReady: {
    what: "503: the server is not ready",
    meet: requesting(presets.notReady, configMaps),
    expected: ["503 ServiceUnavailable", "200 ConfigMapList"],
  },
  permissionRevoked: {
    what: "403: a permission has been revoked",
    meet: requesting(presets.permissionRevoked, configMaps),
    expected: ["403 Forbidden", "200 ConfigMapList"],
  },
  staleRead: {
    what: "a read returns an older state",
    meet: async (world) => {
      world.inject(presets.staleRead());
      const path = `${configMaps}/c?resourceVersion=0`;
      return [await world.ask(path), await world.ask(path)];
    },
    expected: ["404 NotFound", "200 ConfigMap"],
  },
  storageInitializing: {
    what: "429: the watch cache is still initializing",
    meet: requesting(presets.storageInitializing, configMaps),
    expected: ["429 TooManyRequests", "200 ConfigMapList"],
  },
  throttle: {
    what: "429, with and without Retry-After",
    meet: requesting(presets.throttle, configMaps),
    expected: ["429 TooManyRequests", "200 ConfigMapList"],
  },
  tokenExpired: {
    what: "401 until the client has another token",
    meet: async (world) => {
      world.inject(presets.tokenExpired());
      const before = [await world.ask(configMaps), await world.ask(configMaps)];
      world.renewToken();
      return [...before, await world.ask(configMaps)];
    },
    expected: ["401 Unauthorized", "401 Unauthorized", "200 ConfigMapList"],
  },
  tooLargeResourceVersion: {
    what: "504: the client requests a revision that the server has not reached",
    meet: requesting(presets.tooLargeResourceVersion, configMaps),
    expected: ["504 Timeout", "200 ConfigMapList"],
  },
  unauthorizedOnce: {
    what: "401, although the credentials are valid",
    meet: requesting(presets.unauthorizedOnce, configMaps),
    expected: ["401 Unauthorized", "200 ConfigMapList"],
  },
  webhookTimeout: {
    what: "500: an admission webhook did not answer in time",
    meet: requesting(presets.webhookTimeout, configMaps, create("d")),
    expected: ["500 InternalError", "201 ConfigMap"],
  },
} satisfies { readonly [name: string]: Failure };
