import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { type CertificateRequest, parseCertificateRequest } from "./certificate-request.ts";

/** CertificateSigningRequest of v1beta1, where the signer has a default. */
export const betaCertificateSigningRequestDefaults: Defaulter = all(
  inStruct("spec", whenUnset({ usages: ["digital signature", "key encipherment"] }), signerName),
  ifSet("status", each("conditions", whenZero({ status: "True" }))),
);

const legacySigner = "kubernetes.io/legacy-unknown";

/** The signers of kubelet certificates, which are recognized by the content of the request. */
const kubeletSigners: readonly {
  readonly name: string;
  readonly auth: string;
  readonly namesFit: (request: CertificateRequest) => boolean;
}[] = [
  {
    name: "kubernetes.io/kube-apiserver-client-kubelet",
    auth: "client auth",
    namesFit: ({ dnsNames, ipAddresses }) => dnsNames + ipAddresses === 0,
  },
  {
    name: "kubernetes.io/kubelet-serving",
    auth: "server auth",
    namesFit: ({ dnsNames, ipAddresses }) => dnsNames + ipAddresses > 0,
  },
];

function signerName(spec: MutableJsonObject): void {
  if (spec["signerName"] !== undefined) return;
  const { request, usages } = spec;
  const parsed = typeof request === "string" ? parseCertificateRequest(request) : undefined;
  const requested = new Set(Array.isArray(usages) ? usages : []);
  const signer =
    parsed && isOfNode(parsed)
      ? kubeletSigners.find(({ auth, namesFit }) => namesFit(parsed) && isForKubelet(requested, auth))
      : undefined;
  spec["signerName"] = signer?.name ?? legacySigner;
}

function isOfNode({ organizations, commonName, emailAddresses, uris }: CertificateRequest): boolean {
  const [organization] = organizations;
  return (
    organizations.length === 1 &&
    organization === "system:nodes" &&
    commonName.startsWith("system:node:") &&
    emailAddresses + uris === 0
  );
}

/** Only RSA keys use key encipherment. */
function isForKubelet(usages: ReadonlySet<unknown>, auth: string): boolean {
  const size = usages.has("key encipherment") ? 3 : 2;
  return usages.size === size && usages.has("digital signature") && usages.has(auth);
}
