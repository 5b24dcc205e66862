import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { MediaType } from "../../codec/media-types/output-format.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { decodeBody, decodeDeleteOptions, internalPackage, unknownConversion } from "./decode-body.ts";

const view = viewOf({ release: "1.32" });
const bytes = (text: string) => new TextEncoder().encode(text);

/** The endpoint of a kind that takes bodies of another version too, and sets a label by default. */
function scopeOf(
  resource: string,
  gvk: { group: string; version: string; kind: string },
  accepted = "",
): ResourceScope {
  // Decoding reads only these parts.
  return {
    resource: view.resource({ ...gvk, resource }) ?? { group: gvk.group, version: gvk.version },
    gvk,
    schema: view.kind(gvk) ?? expect.unreachable("it has a schema"),
    gates: featureGates("1.32"),
    rest: {
      definition: { groupResource: { group: gvk.group, resource } },
      acceptsVersion: ({ version }: { version: string }) => version === accepted,
    },
    defaultsOf: () => (object: MutableKubeObject) => {
      object.metadata.labels = { ...object.metadata.labels, defaulted: "yes" };
    },
  } as unknown as ResourceScope;
}

const maps = scopeOf("configmaps", { group: "", version: "v1", kind: "ConfigMap" });
const evictions = scopeOf("pods", { group: "policy", version: "v1", kind: "Eviction" }, "v1beta1");

interface Body {
  readonly scope?: ResourceScope;
  readonly mediaType?: MediaType;
  readonly fieldValidation?: FieldValidation;
}

/** The decoded object or the message of the refusal, and the warnings. */
async function decoded(body: unknown, { scope = maps, mediaType, fieldValidation = "Warn" }: Body = {}) {
  const warnings: string[] = [];
  const context = { warn: (text: string) => warnings.push(text) } as unknown as ResourceContext;
  const environment = { served: { current: view } } as unknown as EndpointEnvironment;
  const content = bytes(typeof body === "string" ? body : JSON.stringify(body));
  const type = mediaType ?? "application/json";
  try {
    const object = await decodeBody(content, type, fieldValidation, scope, context, environment);
    return { object, warnings };
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const map = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "m", labels: { defaulted: "yes" } } };

describe("a body", () => {
  test.each([{}, { kind: "ConfigMap" }, { apiVersion: "v1", kind: "ConfigMap" }])(
    "of the type %j is an object with defaults",
    async (type) => {
      expect(await decoded({ ...type, metadata: { name: "m" } })).toEqual({ object: map, warnings: [] });
    },
  );

  test("may be YAML", async () => {
    expect(await decoded("metadata:\n  name: m\n", { mediaType: "application/yaml" })).toEqual({
      object: map,
      warnings: [],
    });
  });

  test("that is no document is not recognized", async () => {
    expect(await decoded("[")).toMatch(
      /^400 the object provided is unrecognized \(must be of type ConfigMap\): .*unexpected end of JSON input \(5b\)$/,
    );
  });

  test("whose fields do not fit cannot be handled", async () => {
    expect(await decoded({ ...map, data: 1 })).toMatch(
      /^400 ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number/,
    );
  });

  test.each([
    [
      { kind: "Node" },
      'Node in version "v1" cannot be handled as a ConfigMap: converting (v1.Node) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: "apps/v1", kind: "Deployment" },
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
  ])("of another kind is none: %j", async (type, message) => {
    expect(await decoded(type)).toBe(`400 ${message}`);
  });

  test("of an unknown kind is in no scheme", async () => {
    expect(await decoded({ kind: "Nothing" })).toMatch(
      /^400 .*no kind "Nothing" is registered for version "v1" in scheme "k8s.io\/kubernetes\/pkg\/api\/legacyscheme\/scheme.go:30"/,
    );
  });

  test("may have a version that the endpoint takes, and is then of the endpoint's own", async () => {
    const body = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "p" } };
    expect(await decoded(body, { scope: evictions })).toMatchObject({
      object: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
    });
    const scalers = scopeOf("horizontalpodautoscalers", {
      group: "autoscaling",
      version: "v2",
      kind: "HorizontalPodAutoscaler",
    });
    const other = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler" };
    expect(await decoded(other, { scope: scalers })).toBe(
      "400 the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)",
    );
  });

  test("has its fields validated", async () => {
    const body = { metadata: { name: "m" }, x: 1 };
    expect(await decoded(body)).toEqual({ object: map, warnings: ['unknown field "x"'] });
    expect(await decoded(body, { fieldValidation: "Ignore" })).toEqual({ object: map, warnings: [] });
    expect(await decoded(body, { fieldValidation: "Strict" })).toBe(
      '400 ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "x"',
    );
  });
});

describe("a conversion is unknown", () => {
  const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
  const scope = scopeOf("deployments", scale);
  test.each([
    [scale, undefined],
    [{ group: "extensions", version: "v1beta1", kind: "Scale" }, undefined],
    [
      { group: "apps", version: "v1", kind: "Deployment" },
      "converting (v1.Deployment) to (autoscaling.Scale): unknown conversion",
    ],
  ])("from %j to a Scale: %j", (gvk, problem) => {
    expect(unknownConversion(gvk, scope, view)).toBe(problem);
  });

  test.each<[Release, string, string | undefined]>([
    ["1.16", "extensions", undefined],
    ["1.32", "apps", undefined],
    ["1.32", "example.com", "converting (v1.Deployment) to (apps.Deployment): unknown conversion"],
  ])("in %s from a Deployment of %s to one of apps: %j", (release, group, problem) => {
    const deployments = scopeOf("deployments", { group: "apps", version: "v1", kind: "Deployment" });
    const sent = { group, version: "v1", kind: "Deployment" };
    expect(unknownConversion(sent, deployments, viewOf({ release }))).toBe(problem);
  });
});

test.each([
  ["", "core"],
  ["apps", "apps"],
  ["rbac.authorization.k8s.io", "rbac"],
])("the internal types of the group %j are in the package %s", (group, name) => {
  expect(internalPackage(group)).toBe(name);
});

describe("the options of a deletion", () => {
  const options = async (body: object | string, mediaType: MediaType = "application/json") => {
    try {
      const content = bytes(typeof body === "string" ? body : JSON.stringify(body));
      return await decodeDeleteOptions(content, mediaType, view.catalog);
    } catch (error) {
      return error instanceof StatusError
        ? `${error.code} ${error.message}`
        : expect.unreachable(String(error));
    }
  };

  test.each([
    {},
    { kind: "DeleteOptions", apiVersion: "v1" },
    { kind: "DeleteOptions", apiVersion: "apps/v1" },
  ])("may be of the type %j", async (type) => {
    expect(await options({ ...type, gracePeriodSeconds: 5 })).toMatchObject({ gracePeriodSeconds: 5 });
  });

  test("are of no other kind, and an error of the server otherwise", async () => {
    expect(await options({ kind: "ConfigMap", apiVersion: "v1" })).toMatch(
      /^500 no kind "ConfigMap" is registered for version "v1" in scheme "k8s.io\/apimachinery\/pkg\/apis\/meta\/internalversion\/scheme\/register.go:27"/,
    );
    expect(await options("{")).toMatch(/^500 .*unexpected end of JSON input/);
  });
});
