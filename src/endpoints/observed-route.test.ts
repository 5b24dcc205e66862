import { describe, expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import { plainRequest } from "../request/plain-request.ts";
import { parseRequestInfo } from "../request/request-info.ts";
import { observedRoute } from "./observed-route.ts";
import { findRoute } from "./routes.ts";

const view = viewOf({ release: "1.32" });

function observed(method: string, target: string, contentType?: string, removedRelease?: string) {
  const [path = "", text] = target.split("?");
  const query = new URLSearchParams(text);
  const info = parseRequestInfo(method, path, query);
  if (!info.isResourceRequest) throw new Error(`${path} names no resource`);
  const route = findRoute(view, method, info);
  if (typeof route === "string") throw new Error(`${path} has no route`);
  const headers = new Map(contentType === undefined ? [] : [["content-type", contentType]]);
  const request = plainRequest({ method, target, headers });
  return { route, labels: observedRoute(route, info, request, query, removedRelease) };
}

const pods = "/api/v1/namespaces/a/pods";

describe("the labels of a request", () => {
  test("name its resource", () => {
    const { route, labels } = observed(
      "PUT",
      "/apis/apps/v1/namespaces/a/deployments/b/scale",
      undefined,
      "1.40",
    );
    expect(labels).toEqual({
      endpoint: route.subresource,
      verb: "PUT",
      dryRun: "",
      group: "apps",
      version: "v1",
      resource: "deployments",
      subresource: "scale",
      scope: "resource",
      removedRelease: "1.40",
    });
    const whole = observed("GET", pods);
    expect(whole.labels).toMatchObject({ subresource: "", removedRelease: undefined });
    expect(whole.labels.endpoint).toBe(whole.route.resource);
  });

  test.each([
    ["GET", `${pods}/b`, "GET", "resource"],
    ["GET", pods, "LIST", "namespace"],
    ["GET", "/api/v1/pods", "LIST", "cluster"],
    ["GET", "/api/v1/nodes", "LIST", "cluster"],
    ["GET", "/api/v1/namespaces/a", "GET", "resource"],
    ["POST", pods, "POST", "resource"],
    ["DELETE", pods, "DELETE", "namespace"],
    ["DELETE", `${pods}/b`, "DELETE", "resource"],
    ["GET", `${pods}?watch=1`, "WATCH", "namespace"],
    ["GET", "/api/v1/watch/namespaces/a/pods", "WATCH", "namespace"],
    ["GET", "/api/v1/watch/namespaces/a/pods/b", "WATCH", "resource"],
    // The parameter counts even where it has no meaning.
    ["GET", `${pods}/b?watch=1`, "WATCH", "resource"],
    ["GET", `${pods}/b?watch=0`, "GET", "resource"],
    ["DELETE", `${pods}?watch=1`, "DELETE", "namespace"],
    ["GET", `${pods}/b/log`, "CONNECT", "resource"],
    ["POST", `${pods}/b/exec`, "CONNECT", "resource"],
    ["GET", `${pods}/b/attach`, "CONNECT", "resource"],
    ["POST", `${pods}/b/portforward`, "CONNECT", "resource"],
    ["DELETE", `${pods}/b/proxy/c`, "CONNECT", "resource"],
    ["PUT", `${pods}/b/status`, "PUT", "resource"],
  ])("of %s %s have the verb %s and the scope %s", (method, target, verb, scope) => {
    expect(observed(method, target).labels).toMatchObject({ verb, scope });
  });

  test.each([
    ["PATCH", "application/apply-patch+yaml", "APPLY"],
    ["PATCH", "application/merge-patch+json", "PATCH"],
    ["PATCH", undefined, "PATCH"],
    ["PUT", "application/apply-patch+yaml", "PUT"],
  ])("tell an apply from other patches: %s %s", (method, contentType, verb) => {
    expect(observed(method, `${pods}/b`, contentType).labels.verb).toBe(verb);
  });

  test.each([
    ["", ""],
    ["?dryRun=All", "All"],
    ["?dryRun=All&dryRun=All", "All"],
    ["?dryRun=Some", "invalid"],
    ["?dryRun=All&dryRun=", "invalid"],
  ])("with the query %j have the dry run %j", (query, dryRun) => {
    expect(observed("POST", `${pods}${query}`).labels.dryRun).toBe(dryRun);
  });
});
