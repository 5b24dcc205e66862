import { describe, expect, test } from "vitest";
import { quietServer } from "./refusals.ts";

const server = quietServer();

const page = "404 page not found\n";
const resource = "the server could not find the requested resource";

/** Prefixes of routes match to the letter; slashes at the end do not count (apiserver, pkg/server/handler.go). */
describe("a path with empty segments", () => {
  test.each([
    ["//", 404, page],
    ["//api", 404, page],
    ["//api/v1", 404, page],
    ["//api/v1/pods", 404, page],
    ["//apis", 404, page],
    ["//apis/apps/v1/deployments", 404, page],
    ["//version", 404, page],
    ["//healthz", 404, page],
    ["//openapi/v2", 404, page],
    ["/api//", 200, undefined],
    ["/api//v1", 404, resource],
    ["/api//v1/pods", 404, resource],
    ["/api/v1//", 200, undefined],
    ["/api/v1//pods", 404, resource],
    ["/api/v1/pods//", 200, undefined],
    ["/apis/", 200, undefined],
    ["/apis//", 404, page],
    ["/apis//v1", 404, page],
    ["/apis//v1/pods", 404, page],
    ["/apis//apps", 404, page],
    ["/apis/apps//", 200, undefined],
    ["/apis/apps//v1", 404, resource],
    ["/apis/apps/v1//", 200, undefined],
  ])("%s is answered with %i", async (target, code, message) => {
    const { status, text } = await server.ask({ method: "GET", target });
    expect(status).toBe(code);
    const actual = text.startsWith("{") ? JSON.parse(text).message : text;
    expect(actual).toBe(message);
  });
});

test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
  "%s has no route for a namespace in a namespace",
  async (method) => {
    for (const target of [
      "/api/v1/namespaces/default/namespaces",
      "/api/v1/namespaces/default/namespaces/kube-system",
      "/api/v1/namespaces/default/namespaces/default/status",
    ]) {
      const { status, text } = await server.ask({ method, target });
      expect(status).toBe(404);
      expect(JSON.parse(text).message).toBe(resource);
    }
  },
);
