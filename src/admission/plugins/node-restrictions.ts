import { notFound } from "../../apimachinery/errors/errors.ts";
import { booleanAt, listAt, objectAt, stringsAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { mirrorAnnotation } from "../../apimachinery/mirror-pod.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { claimsOf, configMapsOf, secretsOf } from "../../authorization/node/pod-references.ts";
import { parseCertificateRequest } from "../../kinds/certificates/certificate-signing-request/certificate-request.ts";
import { certificateRequestProblem } from "../../kinds/certificates/certificate-signing-request/certificate-request-problem.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";
import { forbiddenNodeLabels } from "./node-labels.ts";

const pods = { group: "", resource: "pods" };
const nodes = { group: "", resource: "nodes" };
const leaseNamespace = "kube-node-lease";
const noObject: KubeObject = { apiVersion: "", kind: "", metadata: {} };

/** A write of a node. */
export interface NodeWrite {
  readonly node: string;
  readonly attributes: AdmissionAttributes;
  readonly lister: Lister;
  readonly since: Since;
}

/** Checks the write of a node; upstream: plugin/pkg/admission/noderestriction/admission.go. @throws {StatusError} */
export function restrictWrite(write: NodeWrite): void {
  restrictions.get(formatGroupResource(write.attributes.gvr))?.(write);
}

const restrictions: ReadonlyMap<string, (write: NodeWrite) => void> = new Map([
  ["pods", restrictPod],
  ["nodes", restrictNode],
  ["persistentvolumeclaims", restrictClaim],
  ["serviceaccounts", restrictToken],
  ["leases.coordination.k8s.io", restrictLease],
  ["csinodes.storage.k8s.io", restrictCsiNode],
  ["resourceslices.resource.k8s.io", restrictSlice],
  ["certificatesigningrequests.certificates.k8s.io", restrictCertificate],
]);

/** @throws {StatusError} forbidden unless the condition holds */
function require({ attributes }: NodeWrite, holds: boolean, text: string): void {
  if (!holds) throw refused(attributes, text);
}

function restrictPod(write: NodeWrite): void {
  const { subresource } = write.attributes;
  if (subresource === "") restrictPodItself(write);
  else if (subresource === "status") restrictPodStatus(write);
  else if (subresource === "eviction") restrictEviction(write);
  else {
    const text = `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
    throw refused(write.attributes, text);
  }
}

function restrictPodItself(write: NodeWrite): void {
  const { node, attributes } = write;
  const who = `node ${goQuote(node)}`;
  if (attributes.operation === "CREATE") {
    restrictNewPod(write);
    return;
  }
  const isDelete = attributes.operation === "DELETE";
  require(write, isDelete, `unexpected operation ${goQuote(attributes.operation)}, ${who} can only create and delete mirror pods`);
  const pod = storedPod(write, attributes.name);
  require(write, nodeNameOf(pod) === node, `${who} can only delete pods with spec.nodeName set to itself`);
}

function restrictNewPod(write: NodeWrite): void {
  const { node, attributes } = write;
  const pod = attributes.object ?? noObject;
  const who = `node ${goQuote(node)}`;
  const isMirror = pod.metadata.annotations?.[mirrorAnnotation] !== undefined;
  require(write, isMirror, `pod does not have ${goQuote(mirrorAnnotation)} annotation, ${who} can only create mirror pods`);
  require(write, nodeNameOf(pod) === node, `${who} can only create pods with spec.nodeName set to itself`);
  restrictOwner(write, pod);
  const spec = structAt(pod, "spec");
  const creates = (what: string) => `${who} can not create pods that reference ${what}`;
  require(write, textAt(spec, "serviceAccountName") === "", creates("a service account"));
  require(write, secretsOf(spec).length === 0, creates("secrets"));
  require(write, configMapsOf(spec).length === 0, creates("configmaps"));
  const projected = listAt(spec, "volumes").flatMap((volume) => listAt(volume, "projected", "sources"));
  const trusts = projected.some((source) => source["clusterTrustBundle"] !== undefined);
  require(write, !trusts, creates("clustertrustbundles"));
  const claims = claimsOf(spec, pod.metadata.name ?? "");
  require(write, claims.length === 0, creates("persistentvolumeclaims"));
  require(write, listAt(spec, "resourceClaims").length === 0, creates("resourceclaims"));
}

/** A pod of a node belongs to the node. */
function restrictOwner(write: NodeWrite, pod: KubeObject): void {
  const { node, lister } = write;
  const who = `node ${goQuote(node)}`;
  const owners = listAt(pod, "metadata", "ownerReferences");
  const itself = `${who} can only create pods with an owner reference set to itself`;
  require(write, owners.length <=
    1, `${who} can only create pods with a single owner reference set to itself`);
  const [owner] = owners;
  if (owner === undefined) throw refused(write.attributes, itself);
  const isNode = owner["apiVersion"] === "v1" && owner["kind"] === "Node" && owner["name"] === node;
  require(write, isNode, itself);
  require(write, booleanAt(
    owner,
    "controller",
  ), `${who} can only create pods with a controller owner reference set to itself`);
  require(write, !booleanAt(
    owner,
    "blockOwnerDeletion",
  ), `${who} must not set blockOwnerDeletion on an owner reference`);
  const stored = lister.get(nodes, "", node);
  if (stored === undefined) throw notFound(nodes, node);
  const { uid = "" } = stored.metadata;
  const claimed = textAt(owner, "uid");
  require(write, claimed === uid, `node ${node} UID mismatch: expected ${claimed} got ${uid}`);
}

function restrictPodStatus(write: NodeWrite): void {
  const { node, attributes } = write;
  const { operation, object = noObject, oldObject = noObject } = attributes;
  const who = `node ${goQuote(node)}`;
  require(write, operation === "UPDATE", `unexpected operation ${goQuote(operation)}`);
  require(write, nodeNameOf(oldObject) ===
    node, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  const hasLabels = jsonEqual(object.metadata.labels ?? {}, oldObject.metadata.labels ?? {});
  require(write, hasLabels, `${who} cannot update labels through pod status`);
  const claims = ["status", "resourceClaimStatuses"];
  require(write, jsonEqual(
    [...listAt(object, ...claims)],
    [...listAt(oldObject, ...claims)],
  ), `${who} cannot update resource claim statues`);
}

function restrictEviction(write: NodeWrite): void {
  const { node, attributes } = write;
  require(write, attributes.operation === "CREATE", `unexpected operation ${attributes.operation}`);
  const name = attributes.name || (attributes.object?.metadata.name ?? "");
  require(write, name !== "", "could not determine pod from request data");
  const pod = storedPod(write, name);
  require(write, nodeNameOf(pod) ===
    node, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

/** @throws {StatusError} notFound */
function storedPod({ attributes, lister }: NodeWrite, name: string): KubeObject {
  const pod = lister.get(pods, attributes.namespace, name);
  if (pod === undefined) throw notFound(pods, name);
  return pod;
}

function nodeNameOf(pod: KubeObject): string {
  return textAt(pod, "spec", "nodeName");
}

function restrictNode(write: NodeWrite): void {
  const { node, attributes } = write;
  const { operation, object = noObject, oldObject = noObject } = attributes;
  const who = `node ${goQuote(node)}`;
  const name = attributes.name || (object.metadata.name ?? "");
  require(write, name === node, `${who} is not allowed to modify node ${goQuote(name)}`);
  const source = objectAt(object, "spec", "configSource");
  if (operation === "CREATE") {
    require(write, source === undefined, `${who} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenNodeLabels(stringsAt(object, "metadata", "labels"), {});
    require(write, labels.length ===
      0, `${who} is not allowed to set the following labels: ${labels.join(", ")}`);
  }
  if (operation !== "UPDATE") return;
  require(write, source === undefined ||
    jsonEqual(
      source,
      objectAt(oldObject, "spec", "configSource") ?? {},
    ), `${who} is not allowed to update configSource to a new non-nil configSource`);
  const taints = jsonEqual([...listAt(object, "spec", "taints")], [...listAt(oldObject, "spec", "taints")]);
  require(write, taints, `${who} is not allowed to modify taints`);
  const labels = forbiddenNodeLabels(
    stringsAt(object, "metadata", "labels"),
    stringsAt(oldObject, "metadata", "labels"),
  );
  require(write, labels.length === 0, `is not allowed to modify labels: ${labels.join(", ")}`);
}

/** The parts of a claim's status that a node writes. Upstream shows the difference of the rest in Go's own format. */
const statusOfNode = ["capacity", "conditions", "allocatedResources", "allocatedResourceStatuses"];

function restrictClaim(write: NodeWrite): void {
  const { node, attributes } = write;
  const { operation, subresource, object = noObject, oldObject = noObject } = attributes;
  require(write, subresource === "status", "may only update PVC status");
  require(write, operation === "UPDATE", `unexpected operation ${goQuote(operation)}`);
  require(write, jsonEqual(
    withoutStatusOfNode(object),
    withoutStatusOfNode(oldObject),
  ), `node ${goQuote(node)} is not allowed to update fields other than status.capacity and status.conditions`);
}

function withoutStatusOfNode(claim: KubeObject): KubeObject {
  const { resourceVersion: _, managedFields: __, ...metadata } = claim.metadata;
  const status = Object.entries(structAt(claim, "status")).filter(([field]) => !statusOfNode.includes(field));
  return { ...claim, metadata, status: Object.fromEntries(status) };
}

/** A node gets tokens only for pods that run on it. */
function restrictToken(write: NodeWrite): void {
  const { node, attributes } = write;
  const { operation, subresource, object = noObject } = attributes;
  if (operation !== "CREATE" || subresource !== "token") return;
  const bound = structAt(object, "spec", "boundObjectRef");
  const name = textAt(bound, "name");
  const isPod = bound["apiVersion"] === "v1" && bound["kind"] === "Pod" && name !== "";
  require(write, isPod, "node requested token not bound to a pod");
  const uid = textAt(bound, "uid");
  require(write, uid !== "", "node requested token with a pod binding without a uid");
  const pod = storedPod(write, name);
  require(write, uid ===
    pod.metadata
      .uid, `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`);
  require(write, nodeNameOf(pod) ===
    node, "node requested token bound to a pod scheduled on a different node");
}

function restrictLease(write: NodeWrite): void {
  require(write, write.attributes.namespace ===
    leaseNamespace, `can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  require(write, writtenName(write.attributes) ===
    write.node, "can only access node lease with the same name as the requesting node");
}

function restrictCsiNode(write: NodeWrite): void {
  require(write, writtenName(write.attributes) ===
    write.node, "can only access CSINode with the same name as the requesting node");
}

function restrictSlice(write: NodeWrite): void {
  const { operation, object = noObject, oldObject = noObject } = write.attributes;
  if (operation === "UPDATE") return;
  const [slice, verb] = operation === "CREATE" ? [object, "create"] : [oldObject, "delete"];
  require(write, nodeNameOf(slice) ===
    write.node, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

const kubeletSigners = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"];

/** A node requests certificates for itself alone: since 1.31, unless AllowInsecureKubeletCertificateSigningRequests is on. */
function restrictCertificate(write: NodeWrite): void {
  const { node, attributes, since } = write;
  const { operation, object = noObject } = attributes;
  const spec = structAt(object, "spec");
  if (operation !== "CREATE" || !since("1.31") || !kubeletSigners.includes(textAt(spec, "signerName")))
    return;
  const request = textAt(spec, "request");
  const problem = certificateRequestProblem(request);
  require(write, problem === undefined, `unable to parse csr: ${problem}`);
  const name = `system:node:${node}`;
  const isOwn = parseCertificateRequest(request)?.commonName === name;
  require(write, isOwn, `can only create a node CSR with CN=${name}`);
}

/** The name of a new object stands only in its body. */
function writtenName({ operation, name, object }: AdmissionAttributes): string {
  return operation === "CREATE" ? (object?.metadata.name ?? "") : name;
}
