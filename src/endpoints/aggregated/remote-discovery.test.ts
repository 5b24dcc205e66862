import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import {
  aggregatedType,
  documentOf,
  isAggregated,
  resourcesOfAggregated,
  resourcesOfList,
} from "./remote-discovery.ts";
import type { RemoteResponse } from "./remote-server.ts";

const answer = (body: RemoteResponse["body"], type = "application/json"): RemoteResponse => ({
  status: 200,
  headers: [
    ["Date", "today"],
    ["Content-Type", type],
  ],
  body,
});
const bytes = (text: string) => new TextEncoder().encode(text);

describe("an answer", () => {
  test.each([
    [aggregatedType, true],
    ["application/json; as=APIGroupDiscoveryList; g=apidiscovery.k8s.io ;v=v2", true],
    ["application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", false],
    ["application/json", false],
    ["", false],
  ])("of the type %j is aggregated discovery: %j", (type, expected) => {
    expect(isAggregated(answer(undefined, type))).toBe(expected);
  });

  test("without a type is not aggregated discovery", () => {
    expect(isAggregated({ status: 200, headers: [], body: undefined })).toBe(false);
  });
});

describe("the resources of an APIResourceList", () => {
  const verbs = ["get"];
  const kind = (name: string) => ({ group: "", version: "", kind: name });

  test.each<[title: string, entries: readonly JsonObject[], expected: readonly JsonObject[]]>([
    [
      "have a scope, a singular name, short names and categories",
      [
        { name: "a", namespaced: true, kind: "A", verbs, singularName: "an", categories: ["all"] },
        { name: "b", namespaced: false, kind: "B", group: "g", version: "v2", verbs, shortNames: ["x", "y"] },
      ],
      [
        {
          resource: "a",
          responseKind: kind("A"),
          scope: "Namespaced",
          singularResource: "an",
          verbs,
          categories: ["all"],
        },
        {
          resource: "b",
          responseKind: { group: "g", version: "v2", kind: "B" },
          scope: "Cluster",
          singularResource: "",
          verbs,
          shortNames: ["x", "y"],
        },
      ],
    ],
    [
      "have their subresources, even those listed before them",
      [
        { name: "a/scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["update"] },
        { name: "a", kind: "A", verbs },
        { name: "a/status", kind: "A", verbs },
      ],
      [
        {
          resource: "a",
          responseKind: kind("A"),
          scope: "Cluster",
          singularResource: "",
          verbs,
          subresources: [
            {
              subresource: "scale",
              responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
              verbs: ["update"],
            },
            { subresource: "status", responseKind: kind("A"), verbs },
          ],
        },
      ],
    ],
    ["have no subresources of resources that are missing", [{ name: "a/status", kind: "A", verbs }], []],
  ])("%s", (_title, entries, expected) => {
    expect(resourcesOfList({ resources: [...entries] })).toEqual(expected);
  });
});

describe("the resources in an aggregated document", () => {
  const none = { group: "", version: "", kind: "" };
  const responseKind = { group: "g", version: "v1", kind: "A" };
  const resource = {
    resource: "a",
    subresources: [{ subresource: "x" }, { subresource: "y", responseKind }],
  };
  const document = {
    items: [
      { metadata: { name: "other" }, versions: [{ version: "v1", resources: [{ resource: "wrong" }] }] },
      {
        metadata: { name: "g" },
        versions: [
          { version: "v2", resources: [{ resource: "b", responseKind }] },
          { version: "v1", resources: [resource] },
          { version: "v3" },
        ],
      },
    ],
  };

  test.each<[group: string, version: string, expected: readonly JsonObject[]]>([
    [
      "g",
      "v1",
      [
        {
          resource: "a",
          responseKind: none,
          subresources: [
            { subresource: "x", responseKind: none },
            { subresource: "y", responseKind },
          ],
        },
      ],
    ],
    ["g", "v2", [{ resource: "b", responseKind }]],
    ["g", "v3", []],
    ["g", "v4", []],
    ["h", "v1", []],
  ])("of %s/%s each have a kind", (group, version, expected) => {
    expect(resourcesOfAggregated(document, { group, version })).toEqual(expected);
  });
});

describe("the document of an answer", () => {
  async function* pieces(count: number, piece: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < count; sent += 1) yield piece;
  }

  test("is read whole, or piece by piece", async () => {
    expect(await documentOf(answer(bytes('{"a":1}')))).toEqual({ a: 1 });
    expect(await documentOf(answer([bytes('{"a"'), bytes(":2}")]))).toEqual({ a: 2 });
    expect(await documentOf(answer(pieces(1, bytes('{"a":3}'))))).toEqual({ a: 3 });
  });

  test.each([
    ["a list", bytes("[]"), "the document is not an object"],
    ["no JSON", bytes("x"), /invalid character 'x'/],
    ["empty", undefined, /unexpected end/i],
  ])("fails if it is %s", async (_title, body, message) => {
    await expect(documentOf(answer(body))).rejects.toThrow(message);
  });

  test("has at most 32 MiB", async () => {
    const mebibyte = bytes(" ".repeat(1024 * 1024));
    await expect(documentOf(answer(pieces(32, mebibyte)))).rejects.not.toThrow("too long");
    async function* longer(): AsyncGenerator<Uint8Array> {
      yield* pieces(32, mebibyte);
      yield bytes(" ");
      expect.unreachable("what is too long is not read on");
    }
    await expect(documentOf(answer(longer()))).rejects.toThrow("the document is too long");
  });
});
