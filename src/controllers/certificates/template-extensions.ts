import {
  basicConstraints,
  extendedKeyUsage,
  extendedUsages,
  keyUsage,
  keyUsageBits,
  subjectAlternativeNames,
} from "../../apimachinery/x509/certificate-extensions.ts";

/** The extensions of a certificate with these usages, which have the names of a CertificateSigningRequest. */
export function templateExtensions(
  usages: readonly string[],
  alternativeNames: Uint8Array | undefined,
): readonly Uint8Array[] {
  const named: ReadonlyMap<string, number> = new Map(Object.entries(keyUsageBits));
  // An older name of the same usage.
  const bits = usages.map((usage) => named.get(usage === "signing" ? "digital signature" : usage) ?? 0);
  const all = bits.reduce((sum, bit) => sum | bit, 0);
  const extended = usages.flatMap((usage) => extendedUsages.get(usage) ?? []);
  return [
    ...(all === 0 ? [] : [keyUsage(all)]),
    ...(extended.length === 0 ? [] : [extendedKeyUsage(extended)]),
    basicConstraints("leaf"),
    ...(alternativeNames === undefined ? [] : [subjectAlternativeNames(alternativeNames)]),
  ];
}
