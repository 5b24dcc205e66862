import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { FollowingLister } from "../../apimachinery/lister.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import type { RequestInfo, ResourceRequestInfo } from "../../request/request-info.ts";
import type { Decision } from "../contract/authorizer.ts";
import type { RuleFinder } from "../contract/role-finder.ts";
import { NodeGraph } from "./node-graph.ts";

const allowed: Decision = { verdict: "allow", reason: "" };
const refused = (reason: string): Decision => ({ verdict: "noOpinion", reason });

/** Decides whether a node may do what the request wants. */
export type NodeDecision = (node: string, info: RequestInfo) => Decision;

/** The decisions about nodes of a state. `role` is what every node may do, besides what is decided by object. */
export function nodeDecision(lister: FollowingLister, reads: Reads, role: RuleFinder): NodeDecision {
  const graph = new NodeGraph(lister);
  return (node, info) => {
    if (info.isResourceRequest) {
      const rule = ruleFor(info, reads);
      if (rule !== undefined) return rule({ node, info, graph });
    }
    return role.ruleFor(info) === undefined ? refused("") : allowed;
  };
}

interface NodeRequest {
  readonly node: string;
  readonly info: ResourceRequestInfo;
  readonly graph: NodeGraph;
}

type NodeRule = (request: NodeRequest) => Decision;

/** Whether nodes read all pods and nodes, or only what concerns them: the gate AuthorizeNodeWithSelectors. */
export type Reads = "broad" | "narrow";

/** The rule for a resource whose objects are not open to every node; undefined where all nodes may do the same. */
function ruleFor(info: ResourceRequestInfo, reads: Reads): NodeRule | undefined {
  const resource = formatGroupResource(info);
  if (reads === "narrow" && resource === "nodes") return nodeItself;
  if (reads === "narrow" && resource === "pods") return podOfNode;
  if (resource === "resourceslices.resource.k8s.io") return sliceOfNode(reads);
  return rules.get(resource);
}

const rules: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ["secrets", readReached],
  ["configmaps", readReached],
  [
    "persistentvolumeclaims",
    (request) => (request.info.subresource === "status" ? updateStatus(request) : getReached(request)),
  ],
  ["persistentvolumes", getReached],
  ["resourceclaims.resource.k8s.io", getReached],
  ["volumeattachments.storage.k8s.io", getReached],
  ["serviceaccounts", createToken],
  ["leases.coordination.k8s.io", leaseOfNode],
  ["csinodes.storage.k8s.io", csiNodeOfNode],
]);

function updateStatus(request: NodeRequest): Decision {
  const { verb } = request.info;
  if (verb !== "update" && verb !== "patch") return refused("can only get/update/patch this type");
  return reached(request);
}

function getReached(request: NodeRequest): Decision {
  const { verb, subresource } = request.info;
  if (verb !== "get") return refused("can only get individual resources of this type");
  if (subresource !== "") return refused("cannot get subresource");
  return reached(request);
}

function readReached(request: NodeRequest): Decision {
  const { verb, subresource, namespace } = request.info;
  if (!isRead(verb)) return refused("can only read resources of this type");
  if (subresource !== "") return refused("cannot read subresource");
  if (namespace === "") return refused("can only read namespaced object of this type");
  return reached(request);
}

function createToken(request: NodeRequest): Decision {
  const { verb, subresource, name } = request.info;
  if (verb !== "create" || name === "") {
    return refused("can only create tokens for individual service accounts");
  }
  if (subresource !== "token") return refused("can only create token subresource of serviceaccount");
  return reached(request);
}

function reached({ node, info, graph }: NodeRequest): Decision {
  if (info.name === "") return refused("No Object name found");
  if (graph.reaches(node, info)) return allowed;
  return refused(`no relationship found between node '${node}' and this object`);
}

const ownVerbs = ["get", "create", "update", "patch", "delete"];
const leaseNamespace = "kube-node-lease";

/** The name of a new object is not known yet; admission checks it. */
function leaseOfNode({ node, info: { verb, namespace, name } }: NodeRequest): Decision {
  if (!ownVerbs.includes(verb)) {
    return refused("can only get, create, update, patch, or delete a node lease");
  }
  if (namespace !== leaseNamespace) {
    return refused(`can only access leases in the "${leaseNamespace}" system namespace`);
  }
  if (verb === "create" || name === node) return allowed;
  return refused("can only access node lease with the same name as the requesting node");
}

function csiNodeOfNode({ node, info: { verb, subresource, name } }: NodeRequest): Decision {
  if (!ownVerbs.includes(verb)) return refused("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return refused("cannot authorize CSINode subresources");
  if (verb === "create" || name === node) return allowed;
  return refused("can only access CSINode with the same name as the requesting node");
}

/** Admission checks the node of a new slice. */
function sliceOfNode(reads: Reads): NodeRule {
  return (request) => {
    const { verb, subresource } = request.info;
    if (subresource !== "") return refused("cannot authorize ResourceSlice subresources");
    switch (verb) {
      case "create":
        return allowed;
      case "get":
      case "update":
      case "patch":
      case "delete":
        return reached(request);
      case "watch":
      case "list":
      case "deletecollection":
        if (reads === "broad" || selects(request, "nodeName")) return allowed;
        return refused("can only list/watch/deletecollection resourceslices with nodeName field selector");
      default:
        return refused(
          "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
        );
    }
  };
}

/** Admission checks that a node writes only its own object. A node may look for it before it exists. */
function nodeItself({ node, info: { verb, subresource, name } }: NodeRequest): Decision {
  const isWrite = verb === "update" || verb === "patch";
  if (subresource === "status") return isWrite ? allowed : refused("");
  if (subresource !== "") return refused("");
  if (isWrite || verb === "create") return allowed;
  if (!isRead(verb)) return refused("");
  if (name === node) return allowed;
  const whatever = name === "" ? "all nodes" : `'${name}'`;
  return refused(`node '${node}' cannot read ${whatever}, only its own Node object`);
}

/** Admission checks that a node creates and deletes mirror pods, and writes the status of its pods. */
function podOfNode(request: NodeRequest): Decision {
  const { verb, subresource, name } = request.info;
  const isWrite = verb === "update" || verb === "patch";
  if (subresource === "status") return isWrite ? allowed : refused("");
  if (subresource === "eviction") return verb === "create" ? allowed : refused("");
  if (subresource !== "") return refused("");
  if (verb === "create" || verb === "delete") return allowed;
  if (verb === "get") return getReached(request);
  if (verb !== "list" && verb !== "watch") return refused("");
  if (selects(request, "spec.nodeName")) return allowed;
  if (name !== "") return reached(request);
  return refused("can only list/watch pods with spec.nodeName field selector");
}

function isRead(verb: string): boolean {
  return verb === "get" || verb === "list" || verb === "watch";
}

/** Whether the request selects by a field that must be the name of the node. */
function selects({ node, info: { fieldSelector } }: NodeRequest, field: string): boolean {
  try {
    return parseFieldSelector(fieldSelector).requirements.some(
      (requirement) =>
        requirement.field === field && requirement.operator === "=" && requirement.value === node,
    );
  } catch {
    // A selector that cannot be parsed restricts nothing.
    return false;
  }
}
