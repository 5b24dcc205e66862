const certificateLabel = "CERTIFICATE";
const keyEnding = "PRIVATE KEY";

/**
 * Why a certificate and a key in PEM are no pair, in the words of Go's `tls.X509KeyPair`; undefined when both are there.
 * What is inside the blocks is not looked at.
 */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  return certificateProblem(pemLabels(certificate)) ?? keyProblem(pemLabels(key));
}

function certificateProblem(labels: readonly string[]): string | undefined {
  if (labels.includes(certificateLabel)) return undefined;
  if (labels.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (labels.length === 1 && labels[0]?.endsWith(keyEnding)) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

function keyProblem(labels: readonly string[]): string | undefined {
  if (labels.some((label) => label.endsWith(keyEnding))) return undefined;
  if (labels.length === 0) return "tls: failed to find any PEM data in key input";
  if (labels.length === 1 && labels[0] === certificateLabel) {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

/** The labels of the blocks that are whole: begun at a line's start, of base64, and ended by the same label. */
function pemLabels(text: string): readonly string[] {
  const labels: string[] = [];
  let rest = 0;
  for (const begin of text.matchAll(/^-----BEGIN ([^\n]*?)-----[ \t\r]*\n/gm)) {
    const label = begin[1] ?? "";
    const body = begin.index + begin[0].length;
    if (begin.index < rest) continue;
    const end = text.indexOf(`\n-----END ${label}-----`, body - 1);
    if (end < 0 || !isBase64(text.slice(body, Math.max(body, end)))) continue;
    labels.push(label);
    rest = end + 1;
  }
  return labels;
}

function isBase64(body: string): boolean {
  const lines = body.split("\n").filter((line) => !line.includes(":"));
  const text = lines.join("").replace(/[\r\t ]/g, "");
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
