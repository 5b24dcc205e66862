import { describe, expect, test } from "vitest";
import { containerFindings, podSpecFindings } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

type Row = readonly [title: string, object: JsonObject, findings: readonly unknown[]];

const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");
const id = "must be between 0 and 2147483647, inclusive";

function checkPod(_title: string, spec: JsonObject, findings: readonly unknown[]): void {
  expect(podSpecFindings(spec)).toEqual(findings);
}

function checkContainer(_title: string, securityContext: JsonObject, findings: readonly unknown[]): void {
  const found = containerFindings({ securityContext });
  expect(found.map((finding) => finding.replace("securityContext.", ""))).toEqual(findings);
}

describe("the security context of a pod is refused for", () => {
  test.each<Row>([
    [
      "invalid ids",
      { securityContext: { fsGroup: -1, runAsUser: -1, runAsGroup: 2 ** 31, supplementalGroups: [0, -2] } },
      [
        "fsGroup: Invalid value: -1",
        "runAsUser: Invalid value: -1",
        "runAsGroup: Invalid value: 2147483648",
        "supplementalGroups[1]: Invalid value: -2",
      ].map((finding) => `spec.securityContext.${finding}: ${id}`),
    ],
    [
      "two shared process namespaces",
      { shareProcessNamespace: true, hostPID: true },
      [
        "spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
      ],
    ],
    [
      "unknown policies",
      {
        securityContext: {
          fsGroupChangePolicy: "X",
          supplementalGroupsPolicy: "Y",
          seLinuxChangePolicy: "Z",
        },
      },
      [
        'fsGroupChangePolicy: Unsupported value: "X": supported values: "Always", "OnRootMismatch"',
        'supplementalGroupsPolicy: Unsupported value: "Y": supported values: "Merge", "Strict"',
        'seLinuxChangePolicy: Unsupported value: "Z": supported values: "MountOption", "Recursive"',
      ].map((finding) => `spec.securityContext.${finding}`),
    ],
    [
      "invalid and duplicate sysctls",
      { securityContext: { sysctls: ["", "a b", "a.b", "a.b"].map((name) => ({ name, value: "1" })) } },
      [
        "spec.securityContext.sysctls[0].name: Required value",
        expect.stringContaining(
          'spec.securityContext.sysctls[1].name: Invalid value: "a b": must have at most 253 characters and match regex',
        ),
        'spec.securityContext.sysctls[3].name: Duplicate value: "a.b"',
      ],
    ],
    [
      "sysctls of the host",
      {
        hostNetwork: true,
        hostIPC: true,
        securityContext: { sysctls: ["net.a", "kernel/sem"].map((name) => ({ name, value: "1" })) },
      },
      [
        "spec.securityContext.sysctls[0].name: Invalid value: \"net.a\": may not be specified when 'hostNetwork' is true",
        "spec.securityContext.sysctls[1].name: Invalid value: \"kernel/sem\": may not be specified when 'hostIPC' is true",
      ],
    ],
    [
      "a user namespace with namespaces of the host",
      { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
      ["hostNetwork", "HostPID", "HostIPC"].map(
        (field) => `spec.${field}: Forbidden: when \`pod.Spec.HostUsers\` is false`,
      ),
    ],
  ])("%s", checkPod);
});

describe("the security context of a container is refused for", () => {
  test.each<Row>([
    [
      "an unmasked /proc with the users of the host",
      { procMount: "Unmasked" },
      ['procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`'],
    ],
    [
      "an unknown seccomp profile",
      { seccompProfile: { type: "X" } },
      [
        'seccompProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      ],
    ],
    [
      "a seccomp profile without a type",
      { seccompProfile: { type: "" } },
      ["seccompProfile.type: Required value: type is required when seccompProfile is set"],
    ],
    [
      "a Localhost profile without a file",
      { seccompProfile: { type: "Localhost" } },
      ["seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost"],
    ],
    [
      "a profile path with ..",
      { seccompProfile: { type: "Localhost", localhostProfile: "../a" } },
      ["seccompProfile.localhostProfile: Invalid value: \"../a\": must not contain '..'"],
    ],
    [
      "a file with another profile type",
      { seccompProfile: { type: "Unconfined", localhostProfile: "a" } },
      [
        expect.stringMatching(
          /localhostProfile: Invalid value: .*: can only be set when seccomp type is Localhost/,
        ),
      ],
    ],
    [
      "an unknown AppArmor profile",
      { appArmorProfile: { type: "X" } },
      [
        'appArmorProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      ],
    ],
    [
      "an AppArmor profile without a type",
      { appArmorProfile: { type: "" } },
      ["appArmorProfile.type: Required value: type is required when appArmorProfile is set"],
    ],
    [
      "a Localhost AppArmor profile without a name",
      { appArmorProfile: { type: "Localhost" } },
      ["appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost"],
    ],
    [
      "an empty name of a Localhost AppArmor profile",
      { appArmorProfile: { type: "Localhost", localhostProfile: "" } },
      ["appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost"],
    ],
    [
      "spaces around the name of an AppArmor profile",
      { appArmorProfile: { type: "Localhost", localhostProfile: " a" } },
      ['appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace'],
    ],
    [
      "too long a name of an AppArmor profile",
      { appArmorProfile: { type: "Localhost", localhostProfile: "a".repeat(4096) } },
      ["appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes"],
    ],
    [
      "a name with another AppArmor profile type",
      { appArmorProfile: { type: "RuntimeDefault", localhostProfile: "a" } },
      [
        'appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost',
      ],
    ],
    [
      "privileged containers without privilege escalation",
      { allowPrivilegeEscalation: false, privileged: true, capabilities: { add: ["CAP_SYS_ADMIN"] } },
      [
        expect.stringMatching(
          /core\.SecurityContext\{.*\}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true/,
        ),
        expect.stringContaining(
          "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
        ),
      ],
    ],
  ])("%s", checkContainer);
});

describe("options for Windows are refused for", () => {
  test.each<Row>([
    ["an invalid credential name", { gmsaCredentialSpecName: "A" }, [subdomain]],
    [
      "an empty credential",
      { gmsaCredentialSpec: "" },
      ['windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string'],
    ],
    [
      "too long a credential",
      { gmsaCredentialSpec: "a".repeat(65537) },
      [expect.stringContaining("gmsaCredentialSpec size must be under 64 KiB")],
    ],
    ...(
      [
        ["an empty user", "", " cannot be an empty string"],
        ["control characters", "a\tb", " cannot contain control characters"],
        ["two backslashes", "a\\b\\c", " cannot contain more than one backslash"],
        ["a domain without a user", "a\\", "'s User cannot be empty"],
        [
          "a domain that is too long",
          `${"a.".repeat(128)}a\\a`,
          "'s Domain length must be under 256 characters",
        ],
        ["an invalid domain", "*\\a", "'s Domain doesn't match the NetBios nor the DNS format"],
        ["too long a user", "a".repeat(105), "'s User length must not be longer than 104 characters"],
        ["a user of dots", "..", "'s User cannot contain only periods or spaces"],
        [
          "unsupported characters",
          "a@b",
          "'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
        ],
      ] as const
    ).map(
      ([title, runAsUserName, detail]): Row => [
        title,
        { runAsUserName },
        [
          expect.stringMatching(
            new RegExp(`: runAsUserName${detail.replace(/[\\.*+?^${}()|[\]]/g, "\\$&")}$`),
          ),
        ],
      ],
    ),
  ])("%s", (title, windowsOptions, findings) => checkContainer(title, { windowsOptions }, findings));

  test("HostProcess containers beside others, or without the host network", () => {
    const securityContext = { windowsOptions: { hostProcess: true } };
    const containers = [
      { name: "a", image: "i", securityContext },
      { name: "b", image: "i" },
    ];
    expect(podSpecFindings({ containers })).toEqual([
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ]);
  });

  test("HostProcess containers in a pod that is not HostProcess", () => {
    const container = { securityContext: { windowsOptions: { hostProcess: true } } };
    const spec = { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: false } } };
    expect(containerFindings(container, spec)).toEqual([
      "securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false",
    ]);
  });
});

describe("an operating system is refused for", () => {
  const context = { runAsUser: 1, seccompProfile: { type: "RuntimeDefault" } };

  test.each<Row>([
    ["no name", { os: {} }, ["spec.os.name: Required value: cannot be empty"]],
    [
      "an unknown name",
      { os: { name: "plan9" } },
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    [
      "options of the other operating system",
      { os: { name: "linux" }, securityContext: { windowsOptions: {} } },
      ["spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"],
    ],
    [
      "fields that Windows does not support",
      {
        os: { name: "windows" },
        hostPID: true,
        shareProcessNamespace: false,
        securityContext: context,
        containers: [{ name: "c", image: "i", securityContext: { ...context, privileged: false } }],
      },
      [
        "hostPID",
        "securityContext.seccompProfile",
        "shareProcessNamespace",
        "securityContext.runAsUser",
        "containers[0].securityContext.seccompProfile",
        "containers[0].securityContext.privileged",
        "containers[0].securityContext.runAsUser",
      ].map((field) => `spec.${field}: Forbidden: cannot be set for a windows pod`),
    ],
  ])("%s", checkPod);
});
