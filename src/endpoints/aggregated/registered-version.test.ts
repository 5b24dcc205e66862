import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { isRemote, registeredVersion } from "./registered-version.ts";

const versionOf = (spec: JsonObject, status: JsonObject = {}) =>
  registeredVersion({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: "v1.example.com" },
    spec: { group: "example.com", version: "v1", groupPriorityMinimum: 7, versionPriority: 8, ...spec },
    status,
  });
const service = { namespace: "n", name: "s" };

test("a version has the group, the name and the priorities of its APIService", () => {
  expect(versionOf({})).toEqual({
    group: "example.com",
    version: "v1",
    name: "v1.example.com",
    priority: { group: 7, version: 8 },
    isAvailable: false,
    remote: undefined,
  });
});

test.each([
  [{ service }, { service: { ...service, port: 443 }, authorities: undefined, verifiesServer: true }],
  [
    { service: { ...service, port: 8443 }, caBundle: btoa("PEM"), insecureSkipTLSVerify: false },
    { service: { ...service, port: 8443 }, authorities: "PEM", verifiesServer: true },
  ],
  [
    { service, insecureSkipTLSVerify: true },
    { service: { ...service, port: 443 }, authorities: undefined, verifiesServer: false },
  ],
])("the server of %j", (spec, expected) => {
  const version = versionOf(spec);
  expect(version.remote).toEqual(expected);
  expect([isRemote(version), isRemote(versionOf({}))]).toEqual([true, false]);
});

test.each([
  [[{ type: "Available", status: "True" }], true],
  [[{ type: "Available", status: "False" }], false],
  [[{ type: "Other", status: "True" }], false],
  [[], false],
])("a version with the conditions %j is available: %j", (conditions, expected) => {
  expect(versionOf({}, { conditions }).isAvailable).toBe(expected);
});
