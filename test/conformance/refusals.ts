import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import type { ClusterOptions } from "../../src/index.ts";
import { QuietServer, type RawRequest } from "./quiet-server.ts";
import { flawsOf } from "./well-formed.ts";

/** A request that is refused, and the expected error. */
export type Refusal = readonly [title: string, request: RawRequest, code: number, message: RegExp | string];

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const protobuf = "application/vnd.kubernetes.protobuf";

/** A server for the tests of a file, which must not change the JavaScript engine. */
export function quietServer(options: ClusterOptions = {}): QuietServer {
  const server = new QuietServer(options);
  afterAll(() => server.cluster.close());
  const before = namesOfPrototypes();
  afterEach(() => {
    expect(namesOfPrototypes(), "prototypes must not change").toBe(before);
  });
  return server;
}

/** The properties of every object. */
export function namesOfPrototypes(): string {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype];
  return prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).sort().join()).join(";");
}

/** Each request is refused with a well-formed response with this code, and the store does not change. */
export function refuses(server: QuietServer, refusals: readonly Refusal[]): void {
  let revision: string;
  beforeEach(async () => {
    revision = await server.revision();
  });
  test.each(refusals)("%s", async (_title, request, code, message) => {
    const answer = await server.ask(request);
    expect(flawsOf(answer, request)).toEqual([]);
    expect(answer.status).toBe(code);
    const text = answer.text.startsWith("{") ? JSON.parse(answer.text).message : answer.text;
    if (typeof message === "string") expect(text).toBe(message);
    else expect(text).toMatch(message);
    expect(await server.revision()).toBe(revision);
  });
}

export function get(target: string): RawRequest {
  return { method: "GET", target };
}

/** A new config map with these bytes. */
export function post(body: Uint8Array | string, type = "application/json"): RawRequest {
  return { method: "POST", target: configMaps, headers: { "content-type": type }, body };
}

export function repeat(text: string, times: number): string {
  return text.repeat(times);
}
