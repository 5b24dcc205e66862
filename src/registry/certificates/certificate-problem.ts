const certificateLabel = "CERTIFICATE";

/** Why a base64 text is no certificate in PEM; undefined when it is, or is empty. What is signed is not looked at. */
export function certificateProblem(base64: string): string | undefined {
  if (base64 === "") return undefined;
  const blocks = [...atob(base64).matchAll(/-----BEGIN ([^\n]*?)-----\r?\n([\s\S]*?)-----END \1-----/g)];
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const [, label = "", body = ""] of blocks) {
    if (label !== certificateLabel) return `only CERTIFICATE PEM blocks are allowed, found "${label}"`;
    if (body.includes(":")) return "no PEM block headers are permitted";
    const problem = derProblem(body);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A certificate is a DER sequence, which begins with its tag. */
function derProblem(body: string): string | undefined {
  const text = body.replace(/\s/g, "");
  if (text === "") return "found CERTIFICATE PEM block containing 0 certificates";
  return text.startsWith("M") ? undefined : "x509: malformed certificate";
}
