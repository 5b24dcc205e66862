import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { policyRule } from "../../src/authorization/contract/policy-rule.ts";
import {
  type ResourceAccessQuestion,
  resourceQuestion,
} from "../../src/authorization/contract/resource-attributes.ts";
import { nodeDecision, type Reads } from "../../src/authorization/node/node-decision.ts";
import { RoleRules } from "../../src/authorization/rbac/role-rules.ts";
import { PlainLister } from "./plain-lister.ts";

const lister = new PlainLister();
const put = (group: string, resource: string, metadata: KubeObject["metadata"], spec: object) =>
  lister.put(
    { group, resource },
    // The graph reads nothing else of objects.
    { apiVersion: "v1", kind: "X", metadata, spec: JSON.parse(JSON.stringify(spec)) },
  );
put(
  "",
  "pods",
  { name: "p", namespace: "ns" },
  {
    nodeName: "n1",
    serviceAccountName: "sa",
    imagePullSecrets: [{ name: "s" }],
    volumes: [{ configMap: { name: "c" } }, { persistentVolumeClaim: { claimName: "v" } }],
    resourceClaims: [{ name: "r", resourceClaimName: "rc" }],
  },
);
put("", "persistentvolumes", { name: "pv" }, { claimRef: { namespace: "ns", name: "v" } });
put("storage.k8s.io", "volumeattachments", { name: "a" }, { nodeName: "n1" });
put("resource.k8s.io", "resourceslices", { name: "sl" }, { nodeName: "n1" });

const role = new RoleRules([
  policyRule({ verbs: ["get", "list"], apiGroups: [""], resources: ["services", "pods", "nodes"] }),
]);
const decided = {
  broad: nodeDecision(lister, "broad", role),
  narrow: nodeDecision(lister, "narrow", role),
};

/** `verb resource.group/subresource [namespace/]name ?selector`: the parts of a request. */
function questionOf(text: string): ResourceAccessQuestion {
  const [verb = "", path = "", ...rest] = text.split(" ");
  const [qualified = "", subresource = ""] = path.split("/");
  const [resource = "", ...group] = qualified.split(".");
  const object = rest.find((part) => !part.startsWith("?")) ?? "";
  const slash = object.lastIndexOf("/");
  const fieldSelector = rest.find((part) => part.startsWith("?"))?.slice(1) ?? "";
  const namespace = object.slice(0, Math.max(slash, 0));
  const name = object.slice(slash + 1);
  return {
    verb,
    group: group.join("."),
    version: "v1",
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
  };
}

function verdict(reads: Reads, request: string): string {
  const { verdict, reason } = decided[reads]("n1", resourceQuestion(questionOf(request)));
  return verdict === "allow" ? "allow" : `${verdict}: ${reason}`;
}

const unrelated = "noOpinion: no relationship found between node 'n1' and this object";
const refused = "noOpinion: ";

// Upstream: plugin/pkg/auth/authorizer/node/node_authorizer.go.
describe.each<[title: string, reads: readonly Reads[], requests: readonly (readonly [string, string])[]]>([
  [
    "secrets and config maps",
    ["broad", "narrow"],
    [
      ["get secrets ns/s", "allow"],
      ["list secrets ns/s", "allow"],
      ["watch secrets ns/s", "allow"],
      ["get configmaps ns/c", "allow"],
      ["get secrets ns/c", unrelated],
      ["get secrets other/s", unrelated],
      ["list secrets ns/", "noOpinion: No Object name found"],
      ["list secrets", "noOpinion: can only read namespaced object of this type"],
      ["create secrets ns/s", "noOpinion: can only read resources of this type"],
      ["update configmaps ns/c", "noOpinion: can only read resources of this type"],
      ["get secrets/x ns/s", "noOpinion: cannot read subresource"],
    ],
  ],
  [
    "claims",
    ["broad", "narrow"],
    [
      ["get persistentvolumeclaims ns/v", "allow"],
      ["get persistentvolumeclaims ns/w", unrelated],
      ["list persistentvolumeclaims ns/v", "noOpinion: can only get individual resources of this type"],
      ["get persistentvolumeclaims/x ns/v", "noOpinion: cannot get subresource"],
      ["update persistentvolumeclaims/status ns/v", "allow"],
      ["patch persistentvolumeclaims/status ns/v", "allow"],
      ["patch persistentvolumeclaims/status ns/w", unrelated],
      ["get persistentvolumeclaims/status ns/v", "noOpinion: can only get/update/patch this type"],
    ],
  ],
  [
    "volumes, attachments and resource claims",
    ["broad", "narrow"],
    [
      ["get persistentvolumes pv", "allow"],
      ["get persistentvolumes", "noOpinion: No Object name found"],
      ["list persistentvolumes pv", "noOpinion: can only get individual resources of this type"],
      ["get volumeattachments.storage.k8s.io a", "allow"],
      ["get volumeattachments.storage.k8s.io b", unrelated],
      [
        "watch volumeattachments.storage.k8s.io a",
        "noOpinion: can only get individual resources of this type",
      ],
      ["get resourceclaims.resource.k8s.io ns/rc", "allow"],
      ["get resourceclaims.resource.k8s.io ns/other", unrelated],
    ],
  ],
  [
    "tokens",
    ["broad", "narrow"],
    [
      ["create serviceaccounts/token ns/sa", "allow"],
      ["create serviceaccounts/token ns/other", unrelated],
      [
        "create serviceaccounts/token ns/",
        "noOpinion: can only create tokens for individual service accounts",
      ],
      [
        "get serviceaccounts/token ns/sa",
        "noOpinion: can only create tokens for individual service accounts",
      ],
      ["create serviceaccounts ns/sa", "noOpinion: can only create token subresource of serviceaccount"],
    ],
  ],
  [
    "leases",
    ["broad", "narrow"],
    [
      ...["get", "create", "update", "patch", "delete"].map(
        (verb) => [`${verb} leases.coordination.k8s.io kube-node-lease/n1`, "allow"] as const,
      ),
      ["create leases.coordination.k8s.io kube-node-lease/", "allow"],
      [
        "get leases.coordination.k8s.io kube-node-lease/n2",
        "noOpinion: can only access node lease with the same name as the requesting node",
      ],
      [
        "get leases.coordination.k8s.io ns/n1",
        'noOpinion: can only access leases in the "kube-node-lease" system namespace',
      ],
      [
        "watch leases.coordination.k8s.io kube-node-lease/n1",
        "noOpinion: can only get, create, update, patch, or delete a node lease",
      ],
    ],
  ],
  [
    "CSINodes",
    ["broad", "narrow"],
    [
      ...["get", "create", "update", "patch", "delete"].map(
        (verb) => [`${verb} csinodes.storage.k8s.io n1`, "allow"] as const,
      ),
      ["create csinodes.storage.k8s.io", "allow"],
      [
        "delete csinodes.storage.k8s.io n2",
        "noOpinion: can only access CSINode with the same name as the requesting node",
      ],
      [
        "list csinodes.storage.k8s.io n1",
        "noOpinion: can only get, create, update, patch, or delete a CSINode",
      ],
    ],
  ],
  [
    "slices",
    ["broad", "narrow"],
    [
      ["create resourceslices.resource.k8s.io", "allow"],
      ...["get", "update", "patch", "delete"].flatMap((verb) => [
        [`${verb} resourceslices.resource.k8s.io sl`, "allow"] as const,
        [`${verb} resourceslices.resource.k8s.io other`, unrelated] as const,
      ]),
      ...["list", "watch", "deletecollection"].map(
        (verb) => [`${verb} resourceslices.resource.k8s.io ?nodeName=n1`, "allow"] as const,
      ),
      [
        "use resourceslices.resource.k8s.io sl",
        "noOpinion: only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
      ],
    ],
  ],
  [
    "slices without the selector",
    ["narrow"],
    ["list", "watch", "deletecollection"].map(
      (verb) =>
        [
          `${verb} resourceslices.resource.k8s.io`,
          "noOpinion: can only list/watch/deletecollection resourceslices with nodeName field selector",
        ] as const,
    ),
  ],
  ["slices without the selector", ["broad"], [["list resourceslices.resource.k8s.io", "allow"]]],
  [
    "nodes",
    ["narrow"],
    [
      ...["create nodes n2", "update nodes n2", "patch nodes n2", "get nodes n1", "list nodes n1"].map(
        (request) => [request, "allow"] as const,
      ),
      ["watch nodes n1", "allow"],
      ["update nodes/status n2", "allow"],
      ["patch nodes/status n2", "allow"],
      ["get nodes/status n1", refused],
      ["update nodes/proxy n1", refused],
      ["delete nodes n1", refused],
      ["get nodes n2", "noOpinion: node 'n1' cannot read 'n2', only its own Node object"],
      ["list nodes", "noOpinion: node 'n1' cannot read all nodes, only its own Node object"],
    ],
  ],
  [
    "pods",
    ["narrow"],
    [
      ["create pods ns/x", "allow"],
      ["delete pods ns/x", "allow"],
      ["get pods ns/p", "allow"],
      ["get pods ns/x", unrelated],
      ["update pods ns/p", refused],
      ["deletecollection pods ns/", refused],
      ["update pods/status ns/x", "allow"],
      ["patch pods/status ns/x", "allow"],
      ["get pods/status ns/p", refused],
      ["create pods/eviction ns/x", "allow"],
      ["update pods/eviction ns/x", refused],
      ["create pods/exec ns/p", refused],
      ["list pods ?spec.nodeName=n1", "allow"],
      ["watch pods ?spec.nodeName=n1", "allow"],
      ["list pods ns/p", "allow"],
      ["list pods ns/x", unrelated],
      [
        "list pods ?spec.nodeName=n2",
        "noOpinion: can only list/watch pods with spec.nodeName field selector",
      ],
      [
        "list pods ?spec.nodeName!=n1",
        "noOpinion: can only list/watch pods with spec.nodeName field selector",
      ],
      [
        "list pods ?metadata.name=n1",
        "noOpinion: can only list/watch pods with spec.nodeName field selector",
      ],
      ["list pods ?x", "noOpinion: can only list/watch pods with spec.nodeName field selector"],
    ],
  ],
  [
    "what the role of all nodes says",
    ["broad", "narrow"],
    [
      ["list services", "allow"],
      ["delete services ns/x", refused],
    ],
  ],
  [
    "nodes and pods, by the role",
    ["broad"],
    [
      ["list pods", "allow"],
      ["get nodes n2", "allow"],
      ["delete nodes n1", refused],
    ],
  ],
])("a node and %s (%s)", (_title, reads, requests) => {
  test.each(requests.flatMap(([request, expected]) => reads.map((one) => [one, request, expected] as const)))(
    "%s: %s",
    (one, request, expected) => expect(verdict(one, request)).toBe(expected),
  );
});

test("subresources of CSINodes and slices are refused", () => {
  const ask = (resource: string, group: string) => {
    const question = { ...questionOf(`get ${resource} n1`), group, subresource: "status" };
    return decided.narrow("n1", resourceQuestion(question)).reason;
  };
  expect(ask("csinodes", "storage.k8s.io")).toBe("cannot authorize CSINode subresources");
  expect(ask("resourceslices", "resource.k8s.io")).toBe("cannot authorize ResourceSlice subresources");
});

test("a path is for the role of all nodes to decide", () => {
  const info = { isResourceRequest: false, path: "/metrics", verb: "get" } as const;
  expect(decided.narrow("n1", info)).toEqual({ verdict: "noOpinion", reason: "" });
});
