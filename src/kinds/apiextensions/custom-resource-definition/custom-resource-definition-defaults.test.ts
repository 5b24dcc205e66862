import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const service = { name: "s", namespace: "n" };

describe("a CustomResourceDefinition", () => {
  test.each<[title: string, version: string, sent: JsonObject, expected: JsonObject]>([
    [
      "of v1 derives its names",
      "v1",
      { spec: { names: { kind: "FooBar" } } },
      { spec: { names: { singular: "foobar", listKind: "FooBarList" }, conversion: { strategy: "None" } } },
    ],
    [
      "of v1 keeps its names",
      "v1",
      { spec: { names: { kind: "Foo", singular: "f", listKind: "Foos" } } },
      { spec: { names: { singular: "f", listKind: "Foos" } } },
    ],
    [
      "of v1 reaches its webhook on 443",
      "v1",
      { spec: { conversion: { strategy: "Webhook", webhook: { clientConfig: { service } } } } },
      {
        spec: {
          conversion: {
            webhook: { clientConfig: { service: { port: 443 } }, conversionReviewVersions: null },
          },
        },
      },
    ],
    [
      "of v1 has stored the version it stores",
      "v1",
      {
        spec: {
          versions: [
            { name: "v1", storage: false },
            { name: "v2", storage: true },
            { name: "v3", storage: true },
          ],
        },
      },
      { status: { storedVersions: ["v2"] } },
    ],
    [
      "of v1 has stored what it says",
      "v1",
      { spec: { versions: [{ name: "v1", storage: true }] }, status: { storedVersions: ["v0"] } },
      { status: { storedVersions: ["v0"] } },
    ],
    [
      "of v1beta1 has one version",
      "v1beta1",
      { spec: { version: "v1", names: { kind: "Foo" } } },
      {
        spec: {
          scope: "Namespaced",
          version: "v1",
          versions: [{ name: "v1", served: true, storage: true }],
          names: { singular: "foo", listKind: "FooList" },
          conversion: { strategy: "None" },
          preserveUnknownFields: true,
        },
        status: { storedVersions: ["v1"] },
      },
    ],
    [
      "of v1beta1 has the first of its versions",
      "v1beta1",
      {
        spec: { scope: "Cluster", versions: [{ name: "v2" }, { name: "v1" }], preserveUnknownFields: false },
      },
      { spec: { scope: "Cluster", version: "v2", preserveUnknownFields: false } },
    ],
    [
      "of v1beta1 sends v1beta1 to its webhook",
      "v1beta1",
      { spec: { conversion: { strategy: "Webhook", webhookClientConfig: { service } } } },
      {
        spec: {
          conversion: {
            conversionReviewVersions: ["v1beta1"],
            webhookClientConfig: { service: { port: 443 } },
          },
        },
      },
    ],
  ])("%s", (_, version, sent, expected) => {
    const kind = `apiextensions.k8s.io/${version}/CustomResourceDefinition`;
    expect(defaulted(kind, sent, "1.20")).toMatchObject(expected);
  });

  test("without a kind gets no derived names", () => {
    const definition = defaulted("apiextensions.k8s.io/v1/CustomResourceDefinition", {});
    expect(definition).toMatchObject({
      spec: { names: { plural: "", kind: "" }, conversion: { strategy: "None" } },
    });
    expect(definition).not.toHaveProperty("spec.names.listKind");
  });
});
