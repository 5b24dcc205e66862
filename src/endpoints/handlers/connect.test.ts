import { describe, expect, test } from "vitest";
import type { AdmissionAttributes } from "../../admission/contract/admission.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { formatsOf } from "../../codec/media-types/formats.ts";
import type { Connected, Connector, ConnectRequest } from "../../registry/contract/rest.ts";
import { plainRequest } from "../../request/plain-request.ts";
import { parseRequestInfo } from "../../request/request-info.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { handleConnect } from "./connect.ts";

const pod = "/api/v1/namespaces/a/pods/b";

interface Connection {
  readonly headers?: readonly (readonly [string, string])[];
  readonly isAdmitted?: "admitted" | "read";
  readonly connected?: Connected;
  readonly hasConnector?: boolean;
}

/** Connects, and says what the connector was asked for and what came of it. */
async function connect(
  method: string,
  target: string,
  { headers = [], isAdmitted = "admitted", connected = "nothing", hasConnector = true }: Connection = {},
) {
  const asked: ConnectRequest[] = [];
  const options: unknown[] = [];
  const seen: [step: string, operation: string, object: unknown][] = [];
  const connector: Connector = {
    isAdmitted: isAdmitted === "admitted",
    optionsOf: (request) => {
      asked.push(request);
      return { container: "c" };
    },
    connect: ({ namespace, name }, sent, _request) => {
      options.push(namespace, name, sent);
      return connected;
    },
  };
  const [path = "", search] = target.split("?");
  const query = new URLSearchParams(search);
  const step = (name: string) => async (attributes: AdmissionAttributes) => {
    seen.push([name, attributes.operation, structuredClone(attributes.object)]);
    if (name === "admit") Object.assign(attributes.object ?? {}, { container: "d" });
  };
  // The handler reads only these parts.
  const scope = {
    rest: { connector: hasConnector ? connector : undefined },
    formats: formatsOf(featureGates("1.32")),
    gvk: { group: "", version: "v1", kind: "PodExecOptions" },
    resource: { group: "", version: "v1", resource: "pods" },
    subresource: { name: "exec" },
  } as unknown as ResourceScope;
  const context = {
    request: plainRequest({ method, target, headers: new Map(headers) }),
    query,
    path,
    info: parseRequestInfo(method, path, query),
    user: { name: "u", groups: [] },
  } as unknown as ResourceContext;
  const environment = {
    admission: { admit: step("admit"), validate: step("validate") },
  } as unknown as EndpointEnvironment;
  const answer = await handleConnect(scope, context, environment);
  return { answer, asked: asked[0], options, seen };
}

describe("a connection", () => {
  test("has options that admission may change", async () => {
    const { answer, options, seen } = await connect("POST", `${pod}/exec`);
    const object = { kind: "PodExecOptions", apiVersion: "v1", metadata: {} };
    expect(seen).toEqual([
      ["admit", "CONNECT", { ...object, container: "c" }],
      ["validate", "CONNECT", { ...object, container: "d" }],
    ]);
    expect(options).toEqual(["a", "b", { kind: "PodExecOptions", apiVersion: "v1", container: "d" }]);
    expect(answer).toEqual({ status: 204, headers: [], body: undefined });
  });

  test("is not seen by admission if it reads a log, but has a format", async () => {
    const { options, seen } = await connect("GET", `${pod}/log`, { isAdmitted: "read" });
    expect([options, seen]).toEqual([["a", "b", { container: "c" }], []]);
    const headers = [["accept", "text/plain"]] as const;
    await expect(connect("GET", `${pod}/log`, { isAdmitted: "read", headers })).rejects.toThrow(
      "only the following media types are accepted",
    );
    expect((await connect("GET", `${pod}/exec`, { headers })).answer.status).toBe(204);
  });

  test("cannot be tried, unless it reads a log", async () => {
    await expect(connect("POST", `${pod}/exec?dryRun=All`)).rejects.toThrow("dryRun is not supported");
    expect((await connect("GET", `${pod}/log?dryRun=All`, { isAdmitted: "read" })).answer.status).toBe(204);
  });

  test.each([
    ["exec", ""],
    ["exec/", "/"],
    ["proxy/x", "/x"],
    ["proxy/x/y", "/x/y"],
    ["proxy/x/", "/x/"],
  ])("to %s has the subpath %j", async (subresource, subpath) => {
    const { asked } = await connect("GET", `${pod}/${subresource}?q=1`);
    expect([asked?.method, asked?.subpath, asked?.query.get("q")]).toEqual(["GET", subpath, "1"]);
  });

  // Upstream: apimachinery, pkg/util/httpstream/httpstream.go, IsUpgradeRequest.
  test.each([
    [[], false],
    [[["connection", "keep-alive"]], false],
    [[["connection", "keep-alive, Upgrade"]], true],
    [[["upgrade", "websocket"]], false],
  ] as const)("with the headers %j is an upgrade: %s", async (headers, expected) => {
    expect((await connect("GET", `${pod}/exec`, { headers })).asked?.isUpgrade).toBe(expected);
  });

  test.each([
    ["WebSocket", ["v5.channel.k8s.io", "v4.channel.k8s.io"]],
    ["SPDY/3.1", []],
    ["", []],
  ] as const)("that upgrades to %j offers the subprotocols %j", async (protocol, expected) => {
    const offered = "v5.channel.k8s.io ,v4.channel.k8s.io";
    const headers = [
      ...(protocol === "" ? [] : [["upgrade", protocol] as const]),
      ["sec-websocket-protocol", offered] as const,
    ];
    expect((await connect("GET", `${pod}/exec`, { headers })).asked?.webSocketProtocols).toEqual(expected);
  });

  test.each([
    ["proxy", `${pod}/proxy/`],
    ["proxy?a=b%20c", `${pod}/proxy/?a=b%20c`],
  ])("to %s is redirected to the path with a slash", async (rest, location) => {
    const { answer } = await connect("GET", `${pod}/${rest}`, { connected: "redirect" });
    expect(answer).toEqual({ status: 301, headers: [["Location", location]], body: undefined });
  });

  test("to what cannot be connected to is not found", async () => {
    await expect(connect("GET", `${pod}/exec`, { hasConnector: false })).rejects.toMatchObject({ code: 404 });
  });

  test("may be answered by the other end", async () => {
    const connected = async () => ({ status: 418, headers: [], body: undefined });
    expect((await connect("GET", `${pod}/exec`, { connected })).answer.status).toBe(418);
  });
});
