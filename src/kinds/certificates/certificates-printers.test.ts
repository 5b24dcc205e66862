import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

const condition = (type: string): JsonObject => ({ type, status: "True", reason: "" });

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["certificates.k8s.io/certificatesigningrequests", {}, ["<none>", "", "<none>", "Pending"]],
  [
    "certificates.k8s.io/certificatesigningrequests",
    {
      spec: { signerName: "s", username: "u", expirationSeconds: 86_400 },
      status: { conditions: [condition("Approved")], certificate: "Zm9v" },
    },
    ["s", "u", "24h", "Approved,Issued"],
  ],
  [
    "certificates.k8s.io/certificatesigningrequests",
    { status: { conditions: [condition("Failed"), condition("Approved"), condition("Denied")] } },
    ["<none>", "", "<none>", "Denied,Failed"],
  ],
  ["certificates.k8s.io/clustertrustbundles", {}, ["<none>"]],
  [
    "certificates.k8s.io/podcertificaterequests",
    { spec: { podName: "p", serviceAccountName: "s", nodeName: "n", signerName: "g" } },
    ["p", "s", "n", "g", "Pending"],
  ],
  [
    "certificates.k8s.io/podcertificaterequests",
    { status: { conditions: [condition("Issued"), condition("Other")] } },
    ["", "", "", "", "Issued"],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
