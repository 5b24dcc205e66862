import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { transient } from "../../codec/encodable.ts";
import type { OutputFormat } from "../../codec/media-types/output-format.ts";
import { readResponseBody } from "../../request/plain-request.ts";
import { conversionBetween } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { type Answering, respondAnswer, respondList, respondObject, respondStatus } from "./respond.ts";

const gvk = { group: "example.com", version: "v1", kind: "Gadget" };
const object: KubeObject = { kind: "Gadget", apiVersion: "example.com/v1", metadata: { name: "a" } };
const catalog = catalogOf({ release: "1.32" });

/** A request of a part of this server, which hands over its body as a value, or of a client. */
function answering(document: JsonObject | undefined, transform?: OutputFormat["transform"]): Answering {
  const schema = viewOf({ release: "1.32" }).kind({ group: "", version: "v1", kind: "ConfigMap" });
  const version = { gvk, schema: schema ?? expect.unreachable("1.32 has ConfigMaps") };
  const conversion = conversionBetween(version, version, () => undefined);
  const format: OutputFormat = { mediaType: "application/json", pretty: false, transform };
  return {
    // These answers depend on nothing else.
    scope: {
      ...version,
      shownConversion: conversion,
      storedConversion: conversion,
    } as unknown as ResourceScope,
    context: { request: { document }, path: "/" } as unknown as ResourceContext,
    environment: { catalog } as unknown as EndpointEnvironment,
    format,
  };
}

describe("an answer to a part of this server", () => {
  test("is the object without its bytes", async () => {
    expect(await respondObject(201, transient(object), answering({}))).toEqual({
      status: 201,
      headers: [],
      body: undefined,
      document: object,
    });
  });

  test.each([
    [undefined, 200],
    [409, 409],
  ])("may be a Status with the code %j", async (code, expected) => {
    const status: Status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      ...(code && { code }),
    };
    expect(await respondAnswer(200, { status }, answering({}))).toEqual({
      status: expected,
      headers: [],
      body: undefined,
      document: status,
    });
  });
});

describe("a Status for a client", () => {
  const format: OutputFormat = { mediaType: "application/json", pretty: false, transform: undefined };
  const status = (details?: Status["details"]): Status => ({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...(details && { details }),
  });
  const type = ["Content-Type", "application/json"];

  test.each([
    [undefined, [type]],
    [{ retryAfterSeconds: 0 }, [type]],
    [{ retryAfterSeconds: 7 }, [type, ["Retry-After", "7"]]],
  ])("with the details %j has the headers %j", async (details, headers) => {
    const response = await respondStatus(429, status(details), format, catalog);
    expect([response.status, response.headers]).toEqual([429, headers]);
    const text = new TextDecoder().decode(await readResponseBody(response.body));
    expect(JSON.parse(text)).toMatchObject({ kind: "Status" });
  });

  test("may be in protobuf", async () => {
    const mediaType = "application/vnd.kubernetes.protobuf";
    const response = await respondStatus(429, status(), { ...format, mediaType }, catalog);
    const text = new TextDecoder().decode(await readResponseBody(response.body));
    expect([text.slice(0, 4), text.includes("Failure")]).toEqual(["k8s\0", true]);
  });
});

// Upstream: apiserver, pkg/endpoints/handlers/response.go, asPartialObjectMetadata and asPartialObjectMetadataList.
describe("metadata", () => {
  const as = (kind: "PartialObjectMetadata" | "PartialObjectMetadataList") =>
    ({ kind, version: "v1" }) as const;
  const refusal = async (respond: () => unknown) => {
    try {
      return await respond();
    } catch (error) {
      return error;
    }
  };

  test("of a list are none of an object, and the reverse", async () => {
    const list = { items: [], resourceVersion: "1", continueToken: undefined, remainingItemCount: undefined };
    expect(
      await refusal(() =>
        respondObject(200, transient(object), answering(undefined, as("PartialObjectMetadataList"))),
      ),
    ).toMatchObject({
      code: 406,
      message:
        "you requested PartialObjectMetadataList, but the requested object is not a list (*example.Gadget)",
    });
    expect(
      await refusal(() => respondList(list, answering(undefined, as("PartialObjectMetadata")))),
    ).toMatchObject({
      code: 406,
      message:
        "you requested PartialObjectMetadata, but the requested object is a list (*example.GadgetList)",
    });
  });
});
