import type { Statement } from "../statement.ts";
import { kindStatements, letters } from "./kind-cases.ts";

const storage = "/apis/storage.k8s.io/v1";

export const storageStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a StorageClass",
      source: "kubernetes, pkg/apis/storage/validation/validation_test.go, TestValidateStorageClass",
      target: `${storage}/storageclasses`,
      body: (changes) => ({ provisioner: "kubernetes.io/foo", ...changes }),
    },
    [
      ["ok", {}],
      ["no provisioner", { provisioner: "" }, "provisioner"],
      ["upper provisioner", { provisioner: "KUBERNETES.io/Foo" }],
      ["bad provisioner", { provisioner: "kubernetes.io/invalid/provisioner" }, "provisioner"],
      ["empty param key", { parameters: { "": "x" } }, "parameters"],
      [
        "513 params",
        { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, "v"])) },
        "parameters",
      ],
      ["large params", { parameters: { k: "x".repeat(256 * 1024) } }, "parameters"],
      ["bad reclaim", { reclaimPolicy: "Bar" }, "reclaimPolicy"],
      ["recycle", { reclaimPolicy: "Recycle" }, "reclaimPolicy"],
      ["bad binding", { volumeBindingMode: "foo" }, "volumeBindingMode"],
      ["topologies empty term", { allowedTopologies: [{}] }, "allowedTopologies[0].matchLabelExpressions"],
      [
        "topologies dup key",
        {
          allowedTopologies: [
            {
              matchLabelExpressions: [
                { key: "k", values: ["a"] },
                { key: "k", values: ["b"] },
              ],
            },
          ],
        },
        "allowedTopologies[0].matchLabelExpressions[1].key",
      ],
      [
        "topologies no values",
        { allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: [] }] }] },
        "allowedTopologies[0].matchLabelExpressions[0].values",
      ],
      [
        "topologies dup values",
        { allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: ["a", "a"] }] }] },
        "allowedTopologies[0].matchLabelExpressions[0].values[1]",
      ],
      [
        "topologies dup terms",
        {
          allowedTopologies: [
            { matchLabelExpressions: [{ key: "k", values: ["a"] }] },
            { matchLabelExpressions: [{ key: "k", values: ["a"] }] },
          ],
        },
        "allowedTopologies[1].matchLabelExpressions",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a VolumeAttachment",
      source: "kubernetes, pkg/apis/storage/validation/validation_test.go, TestVolumeAttachmentValidation",
      target: `${storage}/volumeattachments`,
      body: (changes) => ({
        spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "p" }, ...changes },
      }),
    },
    [
      ["ok", {}],
      ["no attacher", { attacher: "" }, "spec.attacher"],
      ["bad attacher", { attacher: "invalid-@#$" }, "spec.attacher"],
      ["no node", { nodeName: "" }, "spec.nodeName"],
      ["no source", { source: {} }, "spec.source"],
      ["empty pv", { source: { persistentVolumeName: "" } }, "spec.source.persistentVolumeName"],
      [
        "inline",
        {
          source: {
            inlineVolumeSpec: {
              accessModes: ["ReadWriteOnce"],
              capacity: { storage: "1" },
              csi: { driver: "d", volumeHandle: "h" },
            },
          },
        },
        "spec.source.inlineVolumeSpec.capacity",
      ],
      [
        "inline no csi",
        {
          source: {
            inlineVolumeSpec: {
              accessModes: ["ReadWriteOnce"],
              capacity: { storage: "1" },
              hostPath: { path: "/x" },
            },
          },
        },
        "spec.source.inlineVolumeSpec.capacity",
      ],
      [
        "both",
        {
          source: {
            persistentVolumeName: "p",
            inlineVolumeSpec: {
              accessModes: ["ReadWriteOnce"],
              capacity: { storage: "1" },
              csi: { driver: "d", volumeHandle: "h" },
            },
          },
        },
        "spec.source",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a CSIDriver",
      source: "kubernetes, pkg/apis/storage/validation/validation_test.go, TestCSIDriverValidation",
      target: `${storage}/csidrivers`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["ok", {}],
      ["upper name", {}, "metadata.name", { name: "driver_1" }],
      ["mode bad", { volumeLifecycleModes: ["x"] }, "spec.volumeLifecycleModes"],
      ["mode ok", { volumeLifecycleModes: ["Persistent", "Ephemeral"] }],
      ["fsgroup bad", { fsGroupPolicy: "Q" }, "spec.fsGroupPolicy"],
      [
        "token dup aud",
        { tokenRequests: [{ audience: "a" }, { audience: "a" }] },
        "spec.tokenRequests[1].audience",
      ],
      [
        "token short",
        { tokenRequests: [{ audience: "a", expirationSeconds: 10 }] },
        "spec.tokenRequests[0].expirationSeconds",
      ],
      [
        "token long",
        { tokenRequests: [{ audience: "a", expirationSeconds: 4294967297 }] },
        "spec.tokenRequests[0].expirationSeconds",
      ],
      ["token ok", { tokenRequests: [{ audience: "", expirationSeconds: 3600 }] }],
    ],
  ),
  ...kindStatements(
    {
      subject: "a CSINode",
      source: "kubernetes, pkg/apis/storage/validation/validation_test.go, TestCSINodeValidation",
      target: `${storage}/csinodes`,
      body: (changes) => ({ spec: { drivers: changes } }),
    },
    [
      ["ok", [{ name: "a.b", nodeID: "x", topologyKeys: ["k"] }]],
      [
        "dup",
        [
          { name: "a.b", nodeID: "x" },
          { name: "a.b", nodeID: "y" },
        ],
        "spec.drivers[1].name",
      ],
      ["no id", [{ name: "a.b", nodeID: "" }], "spec.drivers[0].nodeID"],
      ["id long", [{ name: "a.b", nodeID: letters(193) }]],
      ["dup key", [{ name: "a.b", nodeID: "x", topologyKeys: ["k", "k"] }], "spec.drivers[0]"],
      ["empty key", [{ name: "a.b", nodeID: "x", topologyKeys: [""] }], "spec.drivers[0]"],
      [
        "neg count",
        [{ name: "a.b", nodeID: "x", allocatable: { count: -1 } }],
        "spec.drivers[0].allocatable.count",
      ],
      ["name long", [{ name: letters(64), nodeID: "x" }], "spec.drivers[0].name"],
    ],
  ),
];
