import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import { createAuthority } from "../../../src/transports/node/certificates.ts";
import { startWebhook, type WebhookServer } from "../../webhooks/webhook-server.ts";
import { gadget, gadgetDefinition, gadgetsPath, gadgetVersion, send } from "./gadgets.ts";

const spec = { type: "object", properties: { color: { type: "string" } } };
const service = { namespace: "hooks", name: "converter", path: "/convert", port: 8443 };

let server: WebhookServer;
let cluster: Cluster | undefined;

beforeAll(async () => {
  server = await startWebhook(["127.0.0.1", "converter.hooks.svc"]);
  server.answer = ({ text }, response) => {
    const review = JSON.parse(text);
    const { uid, objects, desiredAPIVersion: apiVersion } = review.request;
    const convertedObjects = objects.map((object: JsonObject) => ({
      ...object,
      apiVersion,
      spec: { color: "converted" },
    }));
    response.setHeader("Content-Type", "application/json");
    const answer = { uid, result: { status: "Success" }, convertedObjects };
    response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: answer }));
  };
});
afterEach(() => cluster?.close());
afterAll(() => server.close());

/** A gadget of v1, read in v2 by the webhook of this client config. */
async function convertedBy(clientConfig: JsonObject, serviceName?: string): Promise<JsonObject> {
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  const versions = [gadgetVersion("v1", spec), gadgetVersion("v2", spec)];
  cluster = createCluster({
    objects: [gadgetDefinition(versions, { conversion }), gadget("a", { color: "red" })],
  });
  if (serviceName !== undefined) cluster.serviceAt(serviceName, new URL(server.url).host);
  return (await send(cluster, "GET", gadgetsPath("v2", "a"))).body;
}

test("a server converts whose certificate the authority of the definition has issued for the Service", async () => {
  const config = { service, caBundle: btoa(server.authority.certificate) };
  expect(await convertedBy(config, "hooks/converter")).toMatchObject({
    apiVersion: "example.com/v2",
    spec: { color: "converted" },
  });
  expect(server.received.at(-1)).toMatchObject({
    method: "POST",
    path: "/convert?timeout=30s",
    headers: { host: "converter.hooks.svc:8443" },
  });
});

test("a server converts at a URL of this machine", async () => {
  const config = { url: `${server.url}/convert`, caBundle: btoa(server.authority.certificate) };
  expect(await convertedBy(config)).toMatchObject({ spec: { color: "converted" } });
});

test("a server with a certificate of an authority that the definition does not name is not asked", async () => {
  const before = server.received.length;
  const config = { service, caBundle: btoa(createAuthority().certificate) };
  expect(await convertedBy(config, "hooks/converter")).toMatchObject({
    code: 500,
    message: expect.stringMatching(
      /^conversion webhook for example.com\/v1, Kind=Gadget failed: Post "https:\/\/converter.hooks.svc:8443\/convert\?timeout=30s": .*certificate signed by unknown authority/,
    ),
  });
  expect(server.received.length).toBe(before);
});

test("a server is not asked if the definition names no authority, and the system's do not know its certificate", async () => {
  const before = server.received.length;
  expect(await convertedBy({ service }, "hooks/converter")).toMatchObject({
    code: 500,
    message: expect.stringContaining("certificate signed by unknown authority"),
  });
  expect(server.received.length).toBe(before);
});

test("a server with a certificate for another Service is not asked", async () => {
  const config = {
    service: { ...service, name: "other" },
    caBundle: btoa(server.authority.certificate),
  };
  expect(await convertedBy(config, "hooks/other")).toMatchObject({
    code: 500,
    message: expect.stringContaining("certificate is valid for"),
  });
});
