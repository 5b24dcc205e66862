import { certificatesOfPem } from "../../apimachinery/x509/certificate.ts";

/** Whether a field of bytes holds PEM certificates. White space alone counts as none, which is valid. */
export function isCertificateBundle(base64: string): boolean {
  try {
    const pem = atob(base64);
    return pem.trim() === "" || certificatesOfPem(pem).length > 0;
  } catch {
    return false;
  }
}
