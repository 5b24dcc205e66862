import type { Statement } from "../statement.ts";
import { kindStatements } from "./kind-cases.ts";

const flowcontrol = "/apis/flowcontrol.apiserver.k8s.io/v1";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const frule = {
  subjects: [{ kind: "Group", group: { name: "g" } }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};
const lim = (limited: object) => ({
  type: "Limited",
  limited: { nominalConcurrencyShares: 100, limitResponse: { type: "Reject" }, ...limited },
});

export const accessStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a FlowSchema",
      source: "kubernetes, pkg/apis/flowcontrol/validation/validation_test.go, TestFlowSchemaValidation",
      target: `${flowcontrol}/flowschemas`,
      body: (changes) => ({
        spec: { matchingPrecedence: 50, priorityLevelConfiguration: { name: "p" }, rules: [], ...changes },
      }),
    },
    [
      ["ok", { rules: [frule] }],
      ["precedence 10001", { matchingPrecedence: 10001 }, "spec.matchingPrecedence"],
      ["precedence 0", { matchingPrecedence: 0 }],
      ["precedence -1", { matchingPrecedence: -1 }, "spec.matchingPrecedence"],
      ["precedence 1", { matchingPrecedence: 1 }, "spec.matchingPrecedence"],
      ["no plc", { priorityLevelConfiguration: { name: "" } }, "spec.priorityLevelConfiguration.name"],
      ["dist bad", { distinguisherMethod: { type: "Q" } }, "spec.distinguisherMethod.type"],
      [
        "rule no subj",
        { rules: [{ subjects: [], nonResourceRules: frule.nonResourceRules }] },
        "spec.rules[0].subjects",
      ],
      ["rule none", { rules: [{ subjects: frule.subjects }] }, "spec.rules[0]"],
      [
        "subj mixed",
        { rules: [{ ...frule, subjects: [{ kind: "Group", group: { name: "g" }, user: { name: "u" } }] }] },
        "spec.rules[0].subjects[0].user",
      ],
      ["subj kind", { rules: [{ ...frule, subjects: [{ kind: "Q" }] }] }, "spec.rules[0].subjects[0].kind"],
      [
        "sa name bad",
        {
          rules: [
            {
              ...frule,
              subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "n", name: "A_" } }],
            },
          ],
        },
        "spec.rules[0].subjects[0].serviceAccount.name",
      ],
      [
        "sa *",
        {
          rules: [
            {
              ...frule,
              subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "n", name: "*" } }],
            },
          ],
        },
      ],
      [
        "url bad",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/apis/*/x"] }] }] },
        "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]",
      ],
      [
        "url no slash",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["x"] }] }] },
        "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]",
      ],
      [
        "url double",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["//x"] }] }] },
        "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]",
      ],
      [
        "url space",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/a b"] }] }] },
        "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]",
      ],
      [
        "verb * plus",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["*", "get"], nonResourceURLs: ["/x"] }] }] },
        "spec.rules[0].nonResourceRules[0].verbs",
      ],
      [
        "verb unknown",
        { rules: [{ ...frule, nonResourceRules: [{ verbs: ["feed"], nonResourceURLs: ["/x"] }] }] },
        "spec.rules[0].nonResourceRules[0].verbs",
      ],
      [
        "res no groups",
        {
          rules: [
            {
              ...frule,
              resourceRules: [{ verbs: ["get"], apiGroups: [], resources: ["pods"], namespaces: ["*"] }],
            },
          ],
        },
        "spec.rules[0].resourceRules[0].apiGroups",
      ],
      [
        "res no scope",
        { rules: [{ ...frule, resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] }] },
        "spec.rules[0].resourceRules[0].namespaces",
      ],
      [
        "res ns bad",
        {
          rules: [
            {
              ...frule,
              resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["-foo"] }],
            },
          ],
        },
        "spec.rules[0].resourceRules[0].namespaces[0]",
      ],
      [
        "res * plus",
        {
          rules: [
            {
              ...frule,
              resourceRules: [
                { verbs: ["get"], apiGroups: ["", "*"], resources: ["pods"], namespaces: ["*"] },
              ],
            },
          ],
        },
        "spec.rules[0].resourceRules[0].apiGroups",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a PriorityLevelConfiguration",
      source:
        "kubernetes, pkg/apis/flowcontrol/validation/validation_test.go, TestPriorityLevelConfigurationValidation",
      target: `${flowcontrol}/prioritylevelconfigurations`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["ok", lim({})],
      ["no type", {}, "spec.type"],
      ["bad type", { type: "Q" }, "spec.type"],
      ["limited none", { type: "Limited" }, "spec.limited"],
      ["exempt limited", { type: "Exempt", ...{ limited: lim({}).limited } }, "spec.type"],
      ["exempt ok", { type: "Exempt" }, "spec.type"],
      ["queue none", lim({ limitResponse: { type: "Queue" } }), "spec.limited.limitResponse.queuing"],
      [
        "reject queuing",
        lim({ limitResponse: { type: "Reject", queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } } }),
        "spec.limited.limitResponse.queuing",
      ],
      [
        "queue ok",
        lim({
          limitResponse: { type: "Queue", queuing: { queues: 512, handSize: 4, queueLengthLimit: 100 } },
        }),
      ],
      [
        "hand > queues",
        lim({ limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8, queueLengthLimit: 100 } } }),
        "spec.limited.limitResponse.queuing.handSize",
      ],
      [
        "queues many",
        lim({
          limitResponse: { type: "Queue", queuing: { queues: 10000001, handSize: 4, queueLengthLimit: 100 } },
        }),
        "spec.limited.limitResponse.queuing.queues",
      ],
      [
        "bits",
        lim({
          limitResponse: { type: "Queue", queuing: { queues: 512, handSize: 8, queueLengthLimit: 100 } },
        }),
        "spec.limited.limitResponse.queuing.handSize",
      ],
      [
        "qll 0",
        lim({ limitResponse: { type: "Queue", queuing: { queues: 5, handSize: 2, queueLengthLimit: 0 } } }),
      ],
      [
        "qll neg",
        lim({ limitResponse: { type: "Queue", queuing: { queues: 5, handSize: 2, queueLengthLimit: -1 } } }),
        "spec.limited.limitResponse.queuing.queueLengthLimit",
      ],
      ["shares -1", lim({ nominalConcurrencyShares: -1 }), "spec.limited.nominalConcurrencyShares"],
      ["lendable 101", lim({ lendablePercent: 101 }), "spec.limited.lendablePercent"],
      ["borrowing -1", lim({ borrowingLimitPercent: -1 }), "spec.limited.borrowingLimitPercent"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a ClusterRole",
      source: "kubernetes, pkg/apis/rbac/validation/validation_test.go",
      target: `${rbac}/clusterroles`,
      body: (changes) => ({ rules: changes }),
    },
    [
      ["ok", [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]],
      ["no groups", [{ verbs: ["get"], resources: ["pods"] }], "rules[0].apiGroups"],
      ["no resources", [{ verbs: ["get"], apiGroups: [""] }], "rules[0].resources"],
      [
        "url+res",
        [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/x"] }],
        "rules[0].nonResourceURLs",
      ],
      [
        "url names",
        [{ verbs: ["get"], nonResourceURLs: ["/x"], resourceNames: ["a"] }],
        "rules[0].nonResourceURLs",
      ],
      ["url only", [{ verbs: ["get"], nonResourceURLs: ["/x"] }]],
    ],
  ),
  ...kindStatements(
    {
      subject: "a RoleBinding",
      source: "kubernetes, pkg/apis/rbac/validation/validation_test.go",
      target: `${rbac}/namespaces/default/rolebindings`,
      body: (changes) => ({
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
        subjects: [{ kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" }],
        ...changes,
      }),
    },
    [
      ["ok", {}],
      ["bad group", { roleRef: { apiGroup: "rbac.GroupName", kind: "Role", name: "r" } }, "roleRef.apiGroup"],
      [
        "bad kind",
        { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Q", name: "r" } },
        "roleRef.kind",
      ],
      [
        "no name",
        { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "" } },
        "roleRef.name",
      ],
      [
        "name slash",
        { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a/b" } },
        "roleRef.name",
      ],
      ["subj kind", { subjects: [{ kind: "foo", name: "x" }] }, "subjects[0].kind"],
      [
        "subj no name",
        { subjects: [{ kind: "User", name: "", apiGroup: "rbac.authorization.k8s.io" }] },
        "subjects[0].name",
      ],
      ["subj ns missing", { subjects: [{ kind: "ServiceAccount", name: "x", namespace: "" }] }],
      [
        "subj sa name",
        { subjects: [{ kind: "ServiceAccount", name: "a:b:c", namespace: "x" }] },
        "subjects[0].name",
      ],
      [
        "subj user group",
        { subjects: [{ kind: "User", name: "x", apiGroup: "foo" }] },
        "subjects[0].apiGroup",
      ],
      [
        "subj sa group",
        { subjects: [{ kind: "ServiceAccount", name: "x", namespace: "y", apiGroup: "foo" }] },
        "subjects[0].apiGroup",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a Lease",
      source: "kubernetes, pkg/apis/coordination/validation/validation_test.go",
      target: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
      body: (changes) => ({ spec: changes }),
    },
    [
      ["ok", { holderIdentity: "x", leaseDurationSeconds: 1, leaseTransitions: 0 }],
      ["duration 0", { leaseDurationSeconds: 0 }, "spec.leaseDurationSeconds"],
      ["transitions -1", { leaseTransitions: -1 }, "spec.leaseTransitions"],
      ["holder empty", { holderIdentity: "" }],
      ["strategy no holder", { strategy: "OldestEmulationVersion" }],
    ],
  ),
  ...kindStatements(
    {
      subject: "a CertificateSigningRequest",
      source: "kubernetes, pkg/apis/certificates/validation/validation_test.go",
      target: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
      body: (changes) => ({
        spec: { request: "QUJD", signerName: "a.b/c", usages: ["client auth"], ...changes },
      }),
    },
    [
      ["bad pem", {}, "spec.request"],
      ["no signer", { signerName: "" }, "spec.request"],
    ],
  ),
];
