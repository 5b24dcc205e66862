import { describe, expect, test } from "vitest";
import { containerFindings } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const volumes = [
  { name: "v", emptyDir: {} },
  { name: "claim", persistentVolumeClaim: { claimName: "a" } },
  { name: "image", image: { reference: "r", pullPolicy: "Never" } },
];
const mount = { name: "v", mountPath: "/a" };

type Row = readonly [title: string, container: JsonObject, findings: readonly unknown[]];

function check(_title: string, container: JsonObject, findings: readonly unknown[]): void {
  expect(containerFindings(container, { volumes })).toEqual(findings);
}

describe("a mount is refused for", () => {
  test.each<Row>([
    [
      "neither name nor path",
      { volumeMounts: [{}] },
      [
        "volumeMounts[0].name: Required value",
        'volumeMounts[0].name: Not found: ""',
        "volumeMounts[0].mountPath: Required value",
      ],
    ],
    [
      "a missing volume",
      { volumeMounts: [{ ...mount, name: "z" }] },
      ['volumeMounts[0].name: Not found: "z"'],
    ],
    [
      "a duplicate path",
      { volumeMounts: [mount, mount] },
      ['volumeMounts[1].mountPath: Invalid value: "/a": must be unique'],
    ],
    [
      "paths with ..",
      {
        volumeMounts: [
          { ...mount, subPath: "../a" },
          { ...mount, mountPath: "/b", subPathExpr: "/x" },
        ],
      },
      [
        "volumeMounts.subPath: Invalid value: \"../a\": must not contain '..'",
        'volumeMounts.subPathExpr: Invalid value: "/x": must be a relative path',
      ],
    ],
    [
      "both subPath and subPathExpr",
      { volumeMounts: [{ ...mount, subPath: "a", subPathExpr: "b" }] },
      ['volumeMounts[0].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive'],
    ],
    [
      "sub paths of an image",
      {
        volumeMounts: [
          { name: "image", mountPath: "/i", subPath: "a" },
          { name: "image", mountPath: "/j", subPathExpr: "b" },
        ],
      },
      [
        'volumeMounts[0].subPath: Invalid value: "a": not allowed in image volume sources',
        'volumeMounts[1].subPathExpr: Invalid value: "b": not allowed in image volume sources',
      ],
    ],
    [
      "an unknown propagation",
      { volumeMounts: [{ ...mount, mountPropagation: "X" }] },
      [
        'volumeMounts.mountPropagation: Unsupported value: "X": supported values: "Bidirectional", "HostToContainer", "None"',
      ],
    ],
    [
      "a propagation that only privileged containers can have",
      { volumeMounts: [{ ...mount, mountPropagation: "Bidirectional" }] },
      [
        "volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers",
      ],
    ],
    [
      "recursive read-only without read-only",
      { volumeMounts: [{ ...mount, recursiveReadOnly: "Enabled", mountPropagation: "HostToContainer" }] },
      [
        "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
        "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified",
      ],
    ],
    [
      "a device with its name or path",
      {
        volumeMounts: [{ name: "claim", mountPath: "/d" }],
        volumeDevices: [{ name: "claim", devicePath: "/d" }],
      },
      [
        'volumeMounts[0].name: Invalid value: "claim": must not already exist in volumeDevices',
        'volumeMounts[0].mountPath: Invalid value: "/d": must not already exist as a path in volumeDevices',
        'volumeDevices[0].name: Invalid value: "claim": must not already exist in volumeMounts',
        'volumeDevices[0].devicePath: Invalid value: "/d": must not already exist as a path in volumeMounts',
      ],
    ],
  ])("%s", check);
});

test("from 1.33 on, an image can be mounted with a sub path", () => {
  const volumeMounts = [{ name: "image", mountPath: "/i", subPath: "a" }];
  expect(containerFindings({ volumeMounts }, { volumes }, { release: "1.33" })).toEqual([]);
});

describe("a device is refused for", () => {
  const device = { name: "claim", devicePath: "/d" };

  test.each<Row>([
    [
      "neither name nor path",
      { volumeDevices: [{}] },
      [
        "volumeDevices[0].name: Required value",
        'volumeDevices[0].name: Not found: ""',
        "volumeDevices[0].devicePath: Required value",
      ],
    ],
    [
      "a volume that is not a claim",
      { volumeDevices: [{ ...device, name: "v" }] },
      [
        'volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ],
    ],
    [
      "a duplicate name and path",
      { volumeDevices: [device, device] },
      [
        'volumeDevices[1].name: Invalid value: "claim": must be unique',
        'volumeDevices[1].devicePath: Invalid value: "/d": must be unique',
      ],
    ],
    [
      "a path with ..",
      { volumeDevices: [{ ...device, devicePath: "/a/.." }] },
      ["volumeDevices[0].devicePath: Invalid value: \"/a/..\": can not contain backsteps ('..')"],
    ],
  ])("%s", check);
});
