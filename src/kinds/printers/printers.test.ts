import { describe, expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const condition = (type: string, status = "True", reason = ""): JsonObject => ({ type, status, reason });
const subject = (kind: string, name: string): JsonObject => ({ kind, name, namespace: "n" });

const access: readonly Case[] = [
  [
    "rbac.authorization.k8s.io/rolebindings",
    {
      roleRef: { kind: "Role", name: "r" },
      subjects: [
        subject("User", "a"),
        subject("Group", "g"),
        subject("ServiceAccount", "s"),
        subject("User", "b"),
        subject("Other", "o"),
      ],
    },
    ["Role/r", "a, b", "g", "n/s"],
  ],
  [
    "rbac.authorization.k8s.io/clusterrolebindings",
    { roleRef: { kind: "ClusterRole", name: "r" }, subjects: null },
    ["ClusterRole/r", "", "", ""],
  ],
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
];

const paramRef = (reference: JsonObject): JsonObject => ({ spec: { policyName: "p", paramRef: reference } });

const admission: readonly Case[] = [
  ["admissionregistration.k8s.io/mutatingwebhookconfigurations", { webhooks: [{}, {}] }, [2]],
  ["admissionregistration.k8s.io/validatingwebhookconfigurations", {}, [0]],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicies",
    { spec: { validations: [{}], paramKind: { apiVersion: "v1", kind: "ConfigMap" } } },
    [1, "v1/ConfigMap"],
  ],
  [
    "admissionregistration.k8s.io/mutatingadmissionpolicies",
    { spec: { mutations: [{}, {}] } },
    [2, "<unset>"],
  ],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicybindings",
    { spec: { policyName: "p" } },
    ["p", "<unset>"],
  ],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicybindings",
    paramRef({ name: "a", namespace: "n" }),
    ["p", "n/a"],
  ],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", paramRef({ name: "a" }), ["p", "*/a"]],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", paramRef({}), ["p", "<unset>"]],
  [
    "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
    paramRef({
      selector: {
        matchLabels: { b: "2", a: "1" },
        matchExpressions: [{ key: "k", operator: "In", values: ["v", "w"] }],
      },
    }),
    [
      "p",
      "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[v w],},},}",
    ],
  ],
];

const flowControl: readonly Case[] = [
  ["flowcontrol.apiserver.k8s.io/flowschemas", {}, ["", 0, "<none>", "?"]],
  [
    "flowcontrol.apiserver.k8s.io/flowschemas",
    {
      spec: {
        priorityLevelConfiguration: { name: "l" },
        matchingPrecedence: 500,
        distinguisherMethod: { type: "ByUser" },
      },
      status: { conditions: [condition("Dangling", "False")] },
    },
    ["l", 500, "ByUser", "False"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    { spec: { type: "Exempt" } },
    ["Exempt", "<none>", "<none>", "<none>", "<none>"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    {
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    },
    ["Limited", 5, "<none>", "<none>", "<none>"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations",
    {
      spec: {
        type: "Limited",
        limited: {
          assuredConcurrencyShares: 7,
          limitResponse: { type: "Queue", queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
        },
      },
    },
    ["Limited", 7, 64, 6, 50],
  ],
];

const deleted = { deletionTimestamp: "2029-12-31T23:59:00Z" };

const devices: readonly Case[] = [
  ["resource.k8s.io/deviceclasses", {}, []],
  ["resource.k8s.io/resourceclaimtemplates", {}, []],
  ["resource.k8s.io/resourceclaims", {}, ["pending"]],
  [
    "resource.k8s.io/resourceclaims",
    { status: { allocation: {}, reservedFor: [{}] } },
    ["allocated,reserved"],
  ],
  [
    "resource.k8s.io/resourceclaims",
    { metadata: deleted, status: { allocation: {} } },
    ["deleted,allocated"],
  ],
  ["resource.k8s.io/resourceclaims", { metadata: deleted }, ["deleted"]],
  [
    "resource.k8s.io/resourceslices",
    { spec: { nodeName: "n", driver: "d", pool: { name: "p" } } },
    ["n", "d", "p"],
  ],
  [
    "resource.k8s.io/devicetaintrules",
    { spec: { taint: { key: "k", value: "v", effect: "NoExecute", timeAdded: "2029-12-31T23:59:00Z" } } },
    ["k", "v", "NoExecute", "60s"],
  ],
  ["resource.k8s.io/devicetaintrules", {}, ["", "", "", ""]],
  ["resource.k8s.io/podschedulingcontexts", { spec: { selectedNode: "n" } }, ["n"]],
  ["resource.k8s.io/resourceclasses", { driverName: "d" }, ["d"]],
];

const machinery: readonly Case[] = [
  ["apiregistration.k8s.io/apiservices", {}, ["Local", "Unknown"]],
  [
    "apiregistration.k8s.io/apiservices",
    { status: { conditions: [condition("Available", "True", "Local")] } },
    ["Local", "True"],
  ],
  [
    "apiregistration.k8s.io/apiservices",
    {
      spec: { service: { namespace: "n", name: "s" } },
      status: { conditions: [condition("Available", "False", "MissingEndpoints")] },
    },
    ["n/s", "False (MissingEndpoints)"],
  ],
  [
    "apiregistration.k8s.io/apiservices",
    { status: { conditions: [condition("Available", "False")] } },
    ["Local", "False"],
  ],
  ["internal.apiserver.k8s.io/storageversions", {}, ["<unset>", "<unset>"]],
  [
    "internal.apiserver.k8s.io/storageversions",
    {
      status: {
        commonEncodingVersion: "v1",
        storageVersions: ["a", "b", "c", "d"].map((id) => ({ apiServerID: id, encodingVersion: "v1" })),
      },
    },
    ["v1", "a=v1,b=v1,c=v1 + 1 more..."],
  ],
];

describe.each([
  ["access", access],
  ["admission", admission],
  ["flow control", flowControl],
  ["devices", devices],
  ["machinery", machinery],
])("%s", (_group, cases) => {
  test.each(cases)("%s %j is shown as %j", (resource, object, cells) => {
    expect(printedCells(resource, object)).toEqual(cells);
  });
});
