import { describe, expect, test } from "vitest";
import { parseRequestInfo, UnresolvableRequestError } from "./request-info.ts";

function infoOf(method: string, target: string) {
  const [path = "", query] = target.split("?");
  return parseRequestInfo(method, path, new URLSearchParams(query));
}

/** `verb group/version namespace resource name subresource`; a dash stands for an empty part. */
function summary(method: string, target: string): string {
  const info = infoOf(method, target);
  if (!info.isResourceRequest) return `${info.verb} ${info.path}`;
  const { verb, group, version, namespace, resource, name, subresource } = info;
  const parts = [verb, group, version, namespace, resource, name, subresource];
  return parts.map((part) => part || "-").join(" ");
}

describe("the path names the resource", () => {
  test.each([
    ["/api/v1/pods", "list - v1 - pods - -"],
    ["/api/v1/pods/a", "get - v1 - pods a -"],
    ["/api/v1/namespaces/b/pods", "list - v1 b pods - -"],
    ["/api/v1/namespaces/b/pods/a", "get - v1 b pods a -"],
    ["/api/v1/namespaces/b/pods/a/log", "get - v1 b pods a log"],
    ["/api/v1/namespaces/b/pods/a/proxy/c", "get - v1 b pods a proxy"],
    ["/api/v1/namespaces", "list - v1 - namespaces - -"],
    ["/api/v1/namespaces/b", "get - v1 b namespaces b -"],
    ["/api/v1/namespaces/b/status", "get - v1 b namespaces b status"],
    ["/api/v1/namespaces/b/finalize", "get - v1 b namespaces b finalize"],
    ["/api/v1/namespaces/b/other", "list - v1 b other - -"],
    ["/apis/apps/v1/deployments", "list apps v1 - deployments - -"],
    ["/apis/apps/v1/namespaces/b/deployments/a/scale", "get apps v1 b deployments a scale"],
    ["//api/v1/pods/a//", "get - v1 - pods a -"],
    ["/api/v1/namespaces//pods/a", "get - v1 - pods a -"],
    ["api/v1/pods/a", "get - v1 - pods a -"],
    ["/api/v1/nodes/n/proxy", "get - v1 - nodes n proxy"],
  ])("%s: %s", (target, expected) => expect(summary("GET", target)).toBe(expected));

  test("with its segments from the resource on, and whether a namespace precedes it", () => {
    expect(infoOf("GET", "/api/v1/namespaces/b/pods/a/proxy/c")).toEqual({
      isResourceRequest: true,
      path: "/api/v1/namespaces/b/pods/a/proxy/c",
      verb: "get",
      group: "",
      version: "v1",
      namespace: "b",
      isBelowNamespace: true,
      resource: "pods",
      name: "a",
      subresource: "proxy",
      parts: ["pods", "a", "proxy", "c"],
      fieldSelector: "",
      labelSelector: "",
    });
    expect(infoOf("GET", "/api/v1/namespaces//pods")).toMatchObject({ isBelowNamespace: true });
    for (const path of ["/api/v1/pods", "/api/v1/namespaces", "/api/v1/namespaces/b/status"])
      expect(infoOf("GET", path)).toMatchObject({ isBelowNamespace: false });
  });
});

describe("a path that names no resource", () => {
  test.each([
    "",
    "/",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/apis",
    "/apis/apps",
    "/apis/apps/v1",
    "/apis/apps/v1/",
    "/version",
    "/healthz/a/b/c",
    "/API/v1/pods",
  ])("%j keeps the method", (path) => {
    expect(infoOf("GET", path)).toEqual({ isResourceRequest: false, path, verb: "get" });
    expect(infoOf("OPTIONS", path)).toMatchObject({ verb: "options" });
  });
});

describe("the method and the name decide the verb", () => {
  test.each([
    ["POST", "/api/v1/pods", "create - v1 - pods - -"],
    ["POST", "/api/v1/namespaces/b/pods/a/eviction", "create - v1 b pods a eviction"],
    ["HEAD", "/api/v1/pods/a", "get - v1 - pods a -"],
    ["HEAD", "/api/v1/pods", "list - v1 - pods - -"],
    ["PUT", "/api/v1/pods/a", "update - v1 - pods a -"],
    ["PUT", "/api/v1/pods", "update - v1 - pods - -"],
    ["PATCH", "/api/v1/pods/a", "patch - v1 - pods a -"],
    ["DELETE", "/api/v1/pods/a", "delete - v1 - pods a -"],
    ["DELETE", "/api/v1/pods", "deletecollection - v1 - pods - -"],
    ["DELETE", "/api/v1/namespaces/b", "delete - v1 b namespaces b -"],
    ["OPTIONS", "/api/v1/pods", "- - v1 - pods - -"],
    ["GET", "/api/v1/pods?watch", "watch - v1 - pods - -"],
    ["GET", "/api/v1/pods?watch=1", "watch - v1 - pods - -"],
    ["GET", "/api/v1/pods?watch=0", "list - v1 - pods - -"],
    ["GET", "/api/v1/pods?watch=false", "list - v1 - pods - -"],
    ["GET", "/api/v1/pods/a?watch=1", "get - v1 - pods a -"],
    ["DELETE", "/api/v1/pods?watch=1", "deletecollection - v1 - pods - -"],
  ])("%s %s: %s", (method, target, expected) => expect(summary(method, target)).toBe(expected));
});

describe("a legacy prefix is the verb", () => {
  test.each([
    ["GET", "/api/v1/watch/pods", "watch - v1 - pods - -"],
    ["GET", "/api/v1/watch/namespaces/b/pods/a", "watch - v1 b pods a -"],
    ["POST", "/apis/apps/v1/watch/deployments", "watch apps v1 - deployments - -"],
    ["GET", "/api/v1/proxy/pods", "proxy - v1 - pods - -"],
    ["GET", "/api/v1/proxy/namespaces/b/pods/a/x/y", "proxy - v1 b pods a -"],
    ["GET", "/api/v1/redirect/pods", "get - v1 - redirect pods -"],
  ])("%s %s: %s", (method, target, expected) => expect(summary(method, target)).toBe(expected));

  test.each(["/api/v1/watch", "/api/v1/proxy/", "/apis/apps/v1/watch"])(
    "which cannot stand alone: %s",
    (path) => {
      expect(() => infoOf("GET", path)).toThrow(UnresolvableRequestError);
      expect(() => infoOf("GET", path)).toThrow(
        expect.objectContaining({ name: "UnresolvableRequestError" }),
      );
      expect(() => infoOf("GET", path)).toThrow("unable to determine kind and namespace from url");
    },
  );
});

describe("the selectors of a collection", () => {
  const query = "fieldSelector=metadata.name%3Da&labelSelector=b%3Dc";

  test.each([
    ["GET", `/api/v1/pods?${query}`, "list"],
    ["GET", `/api/v1/pods?watch=1&${query}`, "watch"],
    ["DELETE", `/api/v1/pods?${query}`, "deletecollection"],
  ])("are those of the query, and may require a name: %s %s", (method, target, verb) => {
    const selectors = { fieldSelector: "metadata.name=a", labelSelector: "b=c" };
    expect(infoOf(method, target)).toMatchObject({ verb, name: "a", ...selectors });
  });

  test("require a name alone behind the legacy prefix", () => {
    const selectors = { fieldSelector: "", labelSelector: "" };
    expect(infoOf("GET", `/api/v1/watch/pods?${query}`)).toMatchObject({ name: "a", ...selectors });
  });

  test.each([
    ["GET", `/api/v1/pods/x?${query}`, "x"],
    ["GET", `/api/v1/watch/pods/x?${query}`, "x"],
    ["POST", `/api/v1/pods?${query}`, ""],
    ["PUT", `/api/v1/pods?${query}`, ""],
    ["GET", `/api/v1/proxy/pods?${query}`, ""],
  ])("mean nothing to other requests: %s %s", (method, target, name) => {
    expect(infoOf(method, target)).toMatchObject({ name, fieldSelector: "", labelSelector: "" });
  });

  test("may be absent, each on its own", () => {
    expect(infoOf("GET", "/api/v1/pods")).toMatchObject({ name: "", fieldSelector: "", labelSelector: "" });
    expect(infoOf("GET", "/api/v1/pods?labelSelector=b")).toMatchObject({
      name: "",
      fieldSelector: "",
      labelSelector: "b",
    });
    expect(infoOf("GET", "/api/v1/pods?fieldSelector=a%3Db")).toMatchObject({
      name: "",
      fieldSelector: "a=b",
      labelSelector: "",
    });
  });
});
