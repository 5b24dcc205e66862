import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const selector = { matchLabels: { b: "2" }, matchExpressions: [{ key: "a", operator: "Exists" }] };
const addresses = (...ips: string[]): JsonObject[] => ips.map((ip) => ({ ip }));

const cases: readonly Case[] = [
  ["networking.k8s.io/ingresses", {}, ["<none>", "*", "", "80"]],
  [
    "networking.k8s.io/ingresses",
    {
      spec: { ingressClassName: "", tls: [{}], rules: [{ host: "a" }, {}, { host: "b" }] },
      status: { loadBalancer: { ingress: addresses("2.2.2.2", "1.1.1.1") } },
    },
    ["", "a,b", "1.1.1.1,2.2.2.2", "80, 443"],
  ],
  [
    "extensions/ingresses",
    { spec: { rules: [{ host: "a" }, { host: "b" }, { host: "c" }] } },
    ["<none>", "a,b,c", "", "80"],
  ],
  [
    "networking.k8s.io/ingresses",
    { spec: { rules: [{}, { host: "a" }, { host: "b" }, { host: "c" }, {}] } },
    ["<none>", "a,b,c + 2 more...", "", "80"],
  ],
  ["networking.k8s.io/ingressclasses", { spec: { controller: "a.b/c" } }, ["a.b/c", "<none>"]],
  [
    "networking.k8s.io/ingressclasses",
    { spec: { controller: "a.b/c", parameters: { kind: "K", name: "n" } } },
    ["a.b/c", "K/n"],
  ],
  [
    "networking.k8s.io/ingressclasses",
    { spec: { controller: "a.b/c", parameters: { apiGroup: "g.io", kind: "K", name: "n" } } },
    ["a.b/c", "K.g.io/n"],
  ],
  ["networking.k8s.io/networkpolicies", { spec: { podSelector: {} } }, ["<none>"]],
  ["networking.k8s.io/networkpolicies", { spec: { podSelector: selector } }, ["a,b=2"]],
  ["networking.k8s.io/ipaddresses", {}, ["<none>"]],
  [
    "networking.k8s.io/ipaddresses",
    { spec: { parentRef: { resource: "services", namespace: "n", name: "s" } } },
    ["services/n/s"],
  ],
  [
    "networking.k8s.io/ipaddresses",
    { spec: { parentRef: { group: "G.io", resource: "things", name: "s" } } },
    ["things.g.io/s"],
  ],
  [
    "networking.k8s.io/servicecidrs",
    { spec: { cidrs: ["10.0.0.0/8", "fd00::/64"] } },
    ["10.0.0.0/8,fd00::/64"],
  ],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
