import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const cases: readonly Case[] = [
  ["storage.k8s.io/storageclasses", { provisioner: "p" }, ["p", "Delete", "Immediate", false]],
  [
    "storage.k8s.io/storageclasses",
    {
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "p",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    },
    ["x (default)", "p", "Retain", "WaitForFirstConsumer", true],
  ],
  ["storage.k8s.io/csidrivers", {}, [true, false, false, "<unset>", false, "<none>"]],
  [
    "storage.k8s.io/csidrivers",
    {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        tokenRequests: [{ audience: "a" }, { audience: "" }],
        requiresRepublish: true,
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
    [false, true, true, "a,", true, "Persistent,Ephemeral"],
  ],
  ["storage.k8s.io/csinodes", { spec: { drivers: [{}, {}] } }, [2]],
  [
    "storage.k8s.io/volumeattachments",
    {
      spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "v" } },
      status: { attached: true },
    },
    ["a", "v", "n", true],
  ],
  [
    "storage.k8s.io/volumeattachments",
    { spec: { attacher: "a", nodeName: "n", source: {} } },
    ["a", "", "n", false],
  ],
  ["storage.k8s.io/volumeattributesclasses", { driverName: "d" }, ["d"]],
];

test.each(cases)("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
