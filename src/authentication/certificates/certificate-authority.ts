import type { CertificateAuthority } from "../contract/certificate-authority.ts";
import type { CertificateIssuer } from "./certificate-issuer.ts";

/** An authority whose key is generated when it issues its first certificate. The code for that is loaded then. */
export function certificateAuthority(): CertificateAuthority {
  let pem = "";
  let created: Promise<CertificateIssuer> | undefined;
  const issuer = (): Promise<CertificateIssuer> => {
    created ??= loadIssuer().then((made) => {
      pem = made.pem;
      return made;
    });
    return created;
  };
  return { pem: () => pem, issue: async (template) => (await issuer()).issue(template) };
}

async function loadIssuer(): Promise<CertificateIssuer> {
  const { createIssuer } = await import("./certificate-issuer.ts");
  return createIssuer();
}
