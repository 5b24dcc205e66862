import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import type { Release } from "../../../src/apimachinery/release.ts";
import { createCluster } from "../../../src/index.ts";

const releases: readonly Release[] = ["1.16", "1.21"];

const beta = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1beta1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com", ...metadata },
  spec: { group: "example.com", names: { plural: "widgets", kind: "Widget" }, ...spec },
});

const stable = (version: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, ...version }],
    ...spec,
  },
});

const openSchema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const stringSchema = {
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties: { size: { type: "string" } } } },
  },
};

/** A client of one release that answers with the body of each answer. */
function clientOf(release: Release) {
  const cluster = createCluster({ release });
  const ask = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const answer = await cluster.fetch(`https://cluster.test/apis/${path}`, {
      method,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    // The server answers these requests with objects.
    return (await answer.json()) as JsonObject;
  };
  const definitions = (version: string) => `apiextensions.k8s.io/${version}/customresourcedefinitions`;
  return {
    ask,
    settle: () => cluster.settle(),
    create: (body: JsonObject) =>
      ask("POST", definitions(String(body["apiVersion"]).split("/")[1] ?? ""), body),
    get: (version: string) => ask("GET", `${definitions(version)}/widgets.example.com`),
    patch: (version: string, body: JsonObject) =>
      ask("PATCH", `${definitions(version)}/widgets.example.com`, body),
  };
}

describe.each(releases)("a definition of v1beta1 in %s", (release) => {
  test("has its old form in v1beta1 and its new one in v1", async () => {
    const client = clientOf(release);
    await client.create(
      beta({
        version: "v1",
        validation: stringSchema,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Size", type: "string", JSONPath: ".spec.size" }],
      }),
    );
    expect((await client.get("v1beta1"))["spec"]).toEqual({
      group: "example.com",
      version: "v1",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      validation: stringSchema,
      subresources: { status: {} },
      versions: [{ name: "v1", served: true, storage: true }],
      additionalPrinterColumns: [{ name: "Size", type: "string", JSONPath: ".spec.size" }],
      conversion: { strategy: "None" },
      preserveUnknownFields: true,
    });
    expect((await client.get("v1"))["spec"]).toEqual({
      group: "example.com",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: stringSchema,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Size", type: "string", jsonPath: ".spec.size" }],
        },
      ],
      conversion: { strategy: "None" },
      preserveUnknownFields: true,
    });
  });

  test("keeps unknown fields of its instances, and says that it has no structural schema", async () => {
    const client = clientOf(release);
    await client.create(beta({ version: "v1", validation: { openAPIV3Schema: { required: ["spec"] } } }));
    await client.settle();
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } };
    const path = "example.com/v1/namespaces/default/widgets";
    expect(await client.ask("POST", path, { ...widget, spec: { any: 1 } })).toMatchObject({
      spec: { any: 1 },
    });
    expect(await client.ask("POST", path, widget)).toMatchObject({ code: 422 });
    const { status } = (await client.get("v1")) as { status: { conditions: JsonObject[] } };
    const condition = status.conditions.find(({ type }) => type === "NonStructuralSchema");
    expect(condition).toMatchObject({ status: "True", reason: "Violations" });
    expect(condition?.["message"]).toContain("must not be empty at the root");
  });

  test("with a webhook has its configuration in v1", async () => {
    const client = clientOf(release);
    const service = { namespace: "default", name: "converter", port: 443 };
    const conversion = { strategy: "Webhook", webhookClientConfig: { service } };
    const versions = [{ name: "v1", served: true, storage: true }];
    await client.create(beta({ versions, validation: openSchema, preserveUnknownFields: false, conversion }));
    expect(await client.get("v1")).toMatchObject({
      spec: {
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { service }, conversionReviewVersions: ["v1beta1"] },
        },
      },
    });
    expect(await client.get("v1beta1")).toMatchObject({
      spec: { conversion: { ...conversion, conversionReviewVersions: ["v1beta1"] } },
    });
  });

  test("needs no approval in a protected group", async () => {
    const client = clientOf(release);
    const group = "example.k8s.io";
    const definition = beta({ group, version: "v1" }, { name: `widgets.${group}` });
    expect(await client.create(definition)).toMatchObject({ kind: "CustomResourceDefinition" });
    await client.settle();
    const stored = (await client.ask(
      "GET",
      `apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`,
    )) as { status: { conditions: JsonObject[] } };
    expect(stored.status.conditions).toContainEqual(
      expect.objectContaining({
        type: "KubernetesAPIApprovalPolicyConformant",
        status: "False",
        reason: "MissingAnnotation",
      }),
    );
  });

  test("may be changed by clients of v1, which cannot make it preserve unknown fields", async () => {
    const client = clientOf(release);
    await client.create(beta({ version: "v1" }));
    expect(await client.patch("v1", { metadata: { labels: { a: "b" } } })).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { preserveUnknownFields: true },
    });
    const pruning = { spec: { preserveUnknownFields: false, versions: [version(openSchema)] } };
    expect(await client.patch("v1", pruning)).toMatchObject({ kind: "CustomResourceDefinition" });
    expect((await client.get("v1"))["spec"]).not.toHaveProperty("preserveUnknownFields");
    expect(await client.patch("v1", { spec: { preserveUnknownFields: true } })).toMatchObject({
      message: expect.stringContaining("spec.preserveUnknownFields: Invalid value: true: cannot set to true"),
    });
  });

  test.each([
    [
      "with a schema above and within its versions",
      { versions: [version(openSchema)], validation: openSchema },
      "spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive",
    ],
    [
      "whose versions all have the same subresources",
      { versions: [{ ...version(undefined), subresources: { status: {} } }] },
      "spec.versions: Invalid value: per-version subresources may not all be set to identical values (top-level subresources should be used instead)",
    ],
    [
      "whose version is not the first one",
      { version: "v2", versions: [version(undefined)] },
      'spec.version: Invalid value: "v2": must match the first version in spec.versions',
    ],
    [
      "that prunes without a schema",
      { version: "v1", preserveUnknownFields: false },
      "spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned",
    ],
    [
      "with a default",
      {
        version: "v1",
        preserveUnknownFields: false,
        validation: {
          openAPIV3Schema: { type: "object", properties: { a: { type: "string", default: "x" } } },
        },
      },
      "spec.validation.openAPIV3Schema.properties[a].default: Forbidden: must not be set",
    ],
    [
      "that prunes by a schema that is not structural",
      { version: "v1", preserveUnknownFields: false, validation: { openAPIV3Schema: {} } },
      "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root",
    ],
  ])("%s is refused", async (_title, spec: JsonObject, message) => {
    const answer = await clientOf(release).create(beta(spec));
    expect(answer).toMatchObject({ code: 422, message: expect.stringContaining(message) });
  });
});

function version(schema: JsonObject | undefined): JsonObject {
  return { name: "v1", served: true, storage: true, ...(schema && { schema }) };
}

describe.each(releases)("a definition of v1 in %s", (release) => {
  test("has what its versions have in common above them in v1beta1", async () => {
    const client = clientOf(release);
    const columns = [{ name: "Size", type: "string", jsonPath: ".spec.size" }];
    await client.create(stable({ schema: stringSchema, additionalPrinterColumns: columns }));
    expect((await client.get("v1"))["spec"]).toMatchObject({
      versions: [{ additionalPrinterColumns: columns }],
    });
    expect((await client.get("v1beta1"))["spec"]).toMatchObject({
      version: "v1",
      validation: stringSchema,
      versions: [{ name: "v1", served: true, storage: true }],
      additionalPrinterColumns: [{ name: "Size", type: "string", JSONPath: ".spec.size" }],
      preserveUnknownFields: false,
    });
  });

  test("that both versions write keeps its defaults", async () => {
    const client = clientOf(release);
    const schema = {
      openAPIV3Schema: { type: "object", properties: { a: { type: "string", default: "x" } } },
    };
    await client.create(stable({ schema }));
    expect(await client.patch("v1beta1", { metadata: { labels: { a: "b" } } })).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { validation: schema },
    });
  });
});
