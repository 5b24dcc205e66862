import { listAt, objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const requests = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const signer = "kubernetes.io/kube-apiserver-client-kubelet";

/**
 * Approves the requests of kubelets for their own client certificates, if the requester may ask for them. Upstream:
 * pkg/controller/certificates/approver/sarapprove.go.
 */
export function certificateApproving(lister: Lister, client: ControllerClient): Controller["reconcile"] {
  return async (name) => {
    const request = lister.get(requests, "", name);
    if (request === undefined || textAt(request, "spec", "signerName") !== signer) return;
    if (listAt(request, "status", "conditions").length > 0) return;
    const { signerProblem, subjectOf } = await import("./signers.ts");
    if (signerProblem(request).problem !== undefined) return;
    const isOwn = subjectOf(request) === textAt(request, "spec", "username");
    for (const { subresource, message, applies } of recognizers) {
      if (!(isOwn || applies === "any") || !(await isAllowed(request, subresource, client))) continue;
      const status = { ...structAt(request, "status"), conditions: [approved(message)] };
      await client.update({ ...request, status }, { subresource: "approval" });
      return;
    }
  };
}

const recognizers = [
  {
    subresource: "selfnodeclient",
    applies: "own",
    message: "Auto approving self kubelet client certificate after SubjectAccessReview.",
  },
  {
    subresource: "nodeclient",
    applies: "any",
    message: "Auto approving kubelet client certificate after SubjectAccessReview.",
  },
] as const;

function approved(message: string): JsonObject {
  return { type: "Approved", status: "True", reason: "AutoApproved", message };
}

async function isAllowed(
  { spec = {} }: KubeObject & { readonly spec?: JsonObject },
  subresource: string,
  client: ControllerClient,
): Promise<boolean> {
  const { group, resource } = requests;
  const review = await client.create({
    kind: "SubjectAccessReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: {
      user: textAt(spec, "username"),
      uid: textAt(spec, "uid"),
      groups: textsAt(spec, "groups"),
      extra: objectAt(spec, "extra") ?? {},
      resourceAttributes: { group, resource, verb: "create", subresource },
    },
  });
  return structAt(review, "status")["allowed"] === true;
}
