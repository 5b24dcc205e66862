import { expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { everyApi } from "../catalog/every-api.ts";

const everything = { release: "1.16", runtimeConfig: everyApi } as const;

test.each([
  ["events.k8s.io", "events", ""],
  ["extensions", "daemonsets", "apps"],
  ["extensions", "deployments", "apps"],
  ["extensions", "ingresses", "networking.k8s.io"],
  ["extensions", "networkpolicies", "networking.k8s.io"],
  ["extensions", "podsecuritypolicies", "policy"],
  ["extensions", "replicasets", "apps"],
  ["extensions", "replicationcontrollers", ""],
  ["apps", "deployments", "apps"],
  ["example.com", "widgets", "example.com"],
])("%s %s are stored under the group %j", (group, resource, home) => {
  expect(viewOf(everything).storedAs({ group, resource })).toEqual({ group: home, resource });
});

test.each([
  ["1.16", "", "events", "v1"],
  ["1.16", "extensions", "ingresses", "networking.k8s.io/v1beta1"],
  ["1.18", "extensions", "deployments", "apps/v1"],
  ["1.32", "apps", "deployments", "apps/v1"],
  ["1.32", "batch", "cronjobs", "batch/v1"],
])("%s keeps %s %s in %s", (release, group, resource, stored) => {
  const found = viewOf({ release }).storedResource({ group, resource });
  expect(found && formatGroupVersion(found)).toBe(stored);
});

test("a resource that the release does not have is stored nowhere", () => {
  expect(
    viewOf({ release: "1.32" }).storedResource({ group: "example.com", resource: "widgets" }),
  ).toBeUndefined();
});

test("the resource of a kind is found by its apiVersion", () => {
  const view = viewOf({ release: "1.32" });
  expect(view.resourceOfKind("apps/v1", "Deployment")).toMatchObject({ resource: "deployments" });
  expect(view.resourceOfKind("apps/v1", "Pod")).toBeUndefined();
  expect(view.resourceOfKind("a/b/c", "Pod")).toBeUndefined();
});

test("a function of a view is computed once", () => {
  const view = viewOf({ release: "1.32" });
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  view.derived(count);
  view.derived(count);
  expect(calls).toBe(1);
});
