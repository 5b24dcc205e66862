import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { Version } from "../../store/stored-value.ts";
import type { ListQuery } from "../contract/rest.ts";
import { everything } from "../contract/selection-predicate.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import {
  cacheNotReady,
  checkReadable,
  checkUpdatable,
  corruptListError,
  isCacheReady,
  readsStorage,
} from "./corrupt-object.ts";

const key = "/registry/configmaps/n/a";
const undecodable = 'no kind "ConfigMap" is registered for version "v9"';
const encrypted = "identity transformer tried to read encrypted data";

/** A server that reports corrupt objects, or one that does not. */
function resourceWith(isReported: boolean): StoredResource {
  const gates = featureGates("1.32", new Map([["AllowUnsafeMalformedObjectDeletion", isReported]]));
  return { ...storedConfigMaps(), gates };
}

/** A value that cannot be decrypted, or that is stored in a version that the release does not know. */
function corrupt(unreadable?: string, at: string = key): StoredObject {
  const stale = unreadable === undefined ? undefined : { unreadable };
  return new Version<KubeObject>("corrupt", at, configMap({ name: "a" }), {}, 1, undefined, stale);
}

function statusOf(check: () => void): Status {
  try {
    check();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
  }
  return expect.unreachable("there is an error");
}

const corruptObject = (path: string, problem: string) =>
  `Internal error occurred: StorageError: corrupt object, Code: 7, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`;
const untransformable = `data from the storage is not transformable revision=0: ${encrypted}`;
const notDecodable = `object not decodable revision=0: ${undecodable}`;

describe("a corrupt object", () => {
  test.each<[isReported: boolean, unreadable: string | undefined, read: string, update: string]>([
    [false, undefined, `Internal error occurred: ${encrypted}`, `Internal error occurred: ${encrypted}`],
    // An error of the decoder is not wrapped.
    [false, undecodable, undecodable, undecodable],
    [
      true,
      undefined,
      corruptObject("/configmaps/n/a", untransformable),
      `Internal error occurred: ${untransformable}`,
    ],
    [
      true,
      undecodable,
      corruptObject("/configmaps/n/a", notDecodable),
      `Internal error occurred: ${notDecodable}`,
    ],
  ])(
    "with the feature gate %j and the problem %j is neither read nor updated",
    (isReported, unreadable, read, update) => {
      const [resource, stored] = [resourceWith(isReported), corrupt(unreadable)];
      const statuses = [checkReadable, checkUpdatable].map((check) =>
        statusOf(() => check(resource, stored)),
      );
      expect(statuses.map(({ code, message }) => [code, message])).toEqual([
        [500, read],
        [500, update],
      ]);
    },
  );

  test.each<[isReported: boolean]>([[false], [true]])("is none of those that are fine: %j", (isReported) => {
    const fine = new Version<KubeObject>("put", key, configMap({ name: "a" }), {}, 1, undefined);
    for (const stored of [undefined, fine]) {
      checkReadable(resourceWith(isReported), stored);
      checkUpdatable(resourceWith(isReported), stored);
    }
    expect(fine.corrupt).toBe(false);
  });
});

test("the watch cache is ready without a look at any object, if none was ever corrupt", () => {
  const resource = storedConfigMaps();
  void resource.store.guaranteedUpdate(key, () => ({ type: "put", value: configMap({ name: "a" }) }));
  const { store } = resource;
  const range = store.range.bind(store);
  let reads = 0;
  store.range = (options) => {
    reads += 1;
    return range(options);
  };
  expect([isCacheReady(resource), reads]).toEqual([true, 0]);
  store.corrupt(key, "/registry/configmaps/");
  expect([isCacheReady(resource), reads]).toEqual([false, 1]);
});

describe("a list", () => {
  const query: ListQuery = {
    namespace: "",
    predicate: everything,
    limit: 0,
    continueToken: "",
    freshness: { at: "newest" },
  };
  const some = { ...everything, isEmpty: false };

  test.each<[string, Partial<ListQuery>, boolean]>([
    ["of everything", {}, false],
    ["of a page", { limit: 1 }, true],
    ["of a page of some objects", { limit: 1, predicate: some }, false],
    ["of some objects", { predicate: some }, false],
    ["that continues", { continueToken: "x", predicate: some }, true],
    ["at a revision", { freshness: { at: "exactly", revision: 2 } }, true],
    ["not older than a revision", { freshness: { at: "notOlderThan" } }, false],
  ])("%s reads storage whatever the watch cache is: %j %j", (_title, more, expected) => {
    expect(readsStorage({ ...query, ...more })).toBe(expected);
  });

  test("that only the watch cache can serve is to be tried again in a second", () => {
    expect(cacheNotReady().status).toMatchObject({
      code: 429,
      message: "storage is (re)initializing",
      details: { retryAfterSeconds: 1 },
    });
  });
});

describe("a list of corrupt objects", () => {
  test.each([
    [undefined, `Internal error occurred: unable to transform key "${key}": ${encrypted}`],
    [undecodable, undecodable],
  ])("with the problem %j has the error of the first", (unreadable, message) => {
    const { status } = corruptListError(resourceWith(false), [corrupt(unreadable), corrupt()]);
    expect([status.code, status.message]).toEqual([500, message]);
  });

  test("names up to a hundred, if the feature gate is on", () => {
    const error = (count: number) =>
      corruptListError(
        resourceWith(true),
        Array.from({ length: count }, (_, index) => corrupt(undefined, `${key}${index}`)),
      ).status;
    expect(error(1)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "failed to read one or more configmaps from the storage",
      reason: "StorageReadError",
      details: {
        name: "list",
        kind: "configmaps",
        causes: [
          {
            reason: "UnexpectedServerResponse",
            message: corruptObject(`${key}0`, untransformable).replace("Internal error occurred: ", ""),
            field: `${key}0`,
          },
        ],
      },
      code: 500,
    });
    const causes = (count: number) => error(count).details?.causes?.map(({ reason }) => reason);
    expect(causes(100)?.slice(98)).toEqual(["UnexpectedServerResponse", "UnexpectedServerResponse"]);
    expect(causes(101)?.slice(99)).toEqual(["UnexpectedServerResponse", "FieldValueTooMany"]);
    expect(error(101).details?.causes?.at(-1)?.message).toBe("too many errors, the list is truncated");
  });
});
