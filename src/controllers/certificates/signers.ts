import { textAt, textsAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  type CertificateRequest,
  parseCertificateRequest,
} from "../../kinds/certificates/certificate-signing-request/certificate-request.ts";

/** Why a signer does not sign a request; undefined if it does. */
type Validation = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The built-in signers. Upstream: pkg/controller/certificates/signer/signer.go. */
const signers: ReadonlyMap<string, Validation> = new Map([
  ["kubernetes.io/kube-apiserver-client", (_request, usages) => clientProblem(usages)],
  ["kubernetes.io/kube-apiserver-client-kubelet", kubeletClientProblem],
  ["kubernetes.io/kubelet-serving", kubeletServingProblem],
  ["kubernetes.io/legacy-unknown", () => undefined],
]);

/** Whether a built-in signer signs these requests, and why it does not sign this one. */
export function signerProblem(object: KubeObject): { readonly isKnown: boolean; readonly problem?: string } {
  const validate = signers.get(textAt(object, "spec", "signerName"));
  if (validate === undefined) return { isKnown: false };
  const request = parseCertificateRequest(textAt(object, "spec", "request"));
  if (request === undefined) return { isKnown: true, problem: "unable to parse the certificate request" };
  const problem = validate(request, textsAt(object, "spec", "usages"));
  return { isKnown: true, ...(problem !== undefined && { problem }) };
}

/** The common name that a request asks for; undefined if it cannot be read. */
export function subjectOf(object: KubeObject): string | undefined {
  return parseCertificateRequest(textAt(object, "spec", "request"))?.commonName;
}

const optionalUsages: readonly string[] = ["digital signature", "key encipherment"];

function clientProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => usage !== "client auth" && !optionalUsages.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  if (usages.includes("client auth")) return undefined;
  return "missing required usage for client certificate: client auth";
}

/** Upstream: pkg/apis/certificates/helpers.go, ValidateKubeletClientCSR. */
function kubeletClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (request.organizations.join() !== "system:nodes") return "subject organization is not system:nodes";
  if (request.dnsNames > 0) return "DNS subjectAltNames are not allowed";
  if (request.emailAddresses > 0) return "Email subjectAltNames are not allowed";
  if (request.ipAddresses > 0) return "IP subjectAltNames are not allowed";
  if (request.uris > 0) return "URI subjectAltNames are not allowed";
  return nodeNameProblem(request) ?? usagesProblem(usages, "client auth");
}

/** Upstream: pkg/apis/certificates/helpers.go, ValidateKubeletServingCSR. */
function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (request.organizations.join() !== "system:nodes") return "subject organization is not system:nodes";
  if (request.dnsNames + request.ipAddresses === 0) return "DNS or IP subjectAltName is required";
  if (request.emailAddresses > 0) return "Email subjectAltNames are not allowed";
  if (request.uris > 0) return "URI subjectAltNames are not allowed";
  return usagesProblem(usages, "server auth") ?? nodeNameProblem(request);
}

function nodeNameProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith("system:node:")
    ? undefined
    : "subject common name does not begin with system:node: ";
}

/** Only RSA keys use key encipherment, which the problem names all the same. */
function usagesProblem(usages: readonly string[], purpose: string): string | undefined {
  const given = new Set(usages);
  given.delete("key encipherment");
  const isExact = given.size === 2 && given.has("digital signature") && given.has(purpose);
  const required = ["digital signature", "key encipherment", purpose].toSorted();
  return isExact ? undefined : `usages did not match [${required.join(" ")}]`;
}
