import { derContent, derElements, derTags, hexadecimal } from "../../../apimachinery/der.ts";
import { fieldInvalid, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { type PemBlock, pemBlocks } from "../../../apimachinery/pem.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { exceeds } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainName, type NameValidator } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { x509Problem } from "../validation/certificate-problem.ts";
import { addSignerNameErrors } from "../validation/signer-name-validation.ts";

const maxBundleLength = 1024 * 1024;
const basicConstraints = "551d13";
const boolean = 0x01;
const extensionsTag = 0xa3;
const bundleField = "spec.trustBundle";

/** Upstream: pkg/apis/certificates/validation/validation.go, ValidateClusterTrustBundle. */
export function addClusterTrustBundleErrors(errors: Findings, bundle: KubeObject): void {
  addNameErrors(errors, bundle);
  addTrustErrors(errors, textAt(bundle, "spec", "trustBundle"));
}

/** Upstream: ValidateClusterTrustBundleUpdate. */
export function addClusterTrustBundleUpdateErrors(
  errors: Findings,
  bundle: KubeObject,
  old: KubeObject,
): void {
  addNameErrors(errors, bundle);
  addChangedTrustErrors(errors, textAt(bundle, "spec", "trustBundle"), textAt(old, "spec", "trustBundle"));
  addMetadataUpdateErrors(errors, bundle, old);
  addSignerChangeErrors(errors, textAt(bundle, "spec", "signerName"), textAt(old, "spec", "signerName"));
}

function addNameErrors(errors: Findings, bundle: KubeObject): void {
  const signer = textAt(bundle, "spec", "signerName");
  addMetadataErrors(errors, bundle, { namespaced: false, validateName: bundleName(signer) });
  if (signer !== "") addSignerNameErrors(errors, signer, "spec.signerName");
}

function bundleName(signer: string): NameValidator {
  return (name, form) => {
    if (signer === "") {
      return name.includes(":")
        ? ['ClusterTrustBundle without signer name must not have ":" in its name']
        : dnsSubdomainName(name, form);
    }
    const prefix = `${signer.replaceAll("/", ":")}:`;
    if (name.startsWith(prefix)) return dnsSubdomainName(name.slice(prefix.length), form);
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
  };
}

/** An unchanged bundle is not validated again. */
function addChangedTrustErrors(errors: Findings, trust: string, old: string): void {
  if (trust !== old) addTrustErrors(errors, trust);
}

function addSignerChangeErrors(errors: Findings, signer: string, old: string): void {
  if (signer !== old) errors.push(fieldInvalid("spec.signerName", signer, "field is immutable"));
}

function addTrustErrors(errors: Findings, trust: string): void {
  if (exceeds(trust, maxBundleLength)) {
    errors.push(fieldTooLong(bundleField, maxBundleLength));
    return;
  }
  const blocks = pemBlocks(trust);
  const problems = blocks.flatMap((block, i) => anchorProblem(block, i) ?? []);
  const details = problems.length > 0 ? problems : anchorsProblems(blocks);
  addInvalid(errors, bundleField, "<value omitted>", details);
}

function anchorProblem(block: PemBlock, i: number): string | undefined {
  if (block.label !== "CERTIFICATE") return `entry ${i} has bad block type: ${block.label}`;
  if (block.hasHeaders) return `entry ${i} has PEM block headers`;
  if (x509Problem(block.bytes) !== undefined) return `entry ${i} does not parse as X.509`;
  return isAuthority(block.bytes) ? undefined : `entry ${i} does not have the CA bit set`;
}

/** The order of the messages is not defined upstream. */
function anchorsProblems(blocks: readonly PemBlock[]): readonly string[] {
  if (blocks.length === 0) return ["at least one trust anchor must be provided"];
  const places = new Map<string, number[]>();
  for (const [i, { bytes }] of blocks.entries()) {
    const certificate = hexadecimal(bytes);
    const known = places.get(certificate);
    if (known === undefined) places.set(certificate, [i]);
    else known.push(i);
  }
  const repeated = [...places.values()].filter((indices) => indices.length > 1);
  return repeated.map((indices) => `duplicate trust anchor (indices [${indices.join(" ")}])`);
}

/** Whether the basic constraints of a certificate have the CA bit set. */
function isAuthority(der: Uint8Array): boolean {
  try {
    const [certificate] = derElements(der);
    const [signed] = derElements(derContent(certificate, derTags.sequence));
    const parts = derElements(derContent(signed, derTags.sequence));
    const [list] = derElements(
      derContent(
        parts.find(({ tag }) => tag === extensionsTag),
        extensionsTag,
      ),
    );
    const extensions = derElements(derContent(list, derTags.sequence)).map((extension) =>
      derElements(derContent(extension, derTags.sequence)),
    );
    const constraints = extensions.find(
      ([id]) => id !== undefined && hexadecimal(id.content) === basicConstraints,
    );
    const [sequence] = derElements(derContent(constraints?.at(-1), derTags.octetString));
    const [authority] = derElements(derContent(sequence, derTags.sequence));
    return authority?.tag === boolean && authority.content[0] !== 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
