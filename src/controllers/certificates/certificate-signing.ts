import type { Clock } from "../../apimachinery/clock.ts";
import { listAt, numberAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { CertificateAuthority } from "../../authentication/contract/certificate-authority.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const requests = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };

const minute = 60_000;
const hour = 60 * minute;
/** `--cluster-signing-duration`. */
const longestLife = 365 * 24 * hour;
const shortestLife = 10 * minute;
/** How long before its time a certificate is valid. */
const backdate = 5 * minute;
/** The life from which the end of a certificate moves with its start. */
const shortLived = 8 * hour;

/** Signs approved requests for the built-in signers. Upstream: pkg/controller/certificates/signer/signer.go. */
export function certificateSigning(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
  authority: CertificateAuthority,
): Controller["reconcile"] {
  return async (name) => {
    const request = lister.get(requests, "", name);
    if (request === undefined || !isWaiting(request)) return;
    // Few clusters sign certificates, so the code for it is loaded on demand.
    const { signerProblem } = await import("./signers.ts");
    const { isKnown, problem } = signerProblem(request);
    if (!isKnown) return;
    const status =
      problem === undefined
        ? await issued(request, clock.now(), authority).catch((error) => unsignable(request, error))
        : failed(request, problem);
    await client.update({ ...request, status }, { subresource: "status" });
  };
}

/** Whether a request is approved, and neither signed nor failed. */
function isWaiting(request: KubeObject): boolean {
  const isTrue = (type: string) =>
    listAt(request, "status", "conditions").some(
      (condition) => condition["type"] === type && condition["status"] !== "False",
    );
  return isTrue("Approved") && !isTrue("Denied") && !isTrue("Failed") && certificateOf(request) === "";
}

function certificateOf(request: KubeObject): string {
  return textAt(request, "status", "certificate");
}

async function issued(
  request: KubeObject,
  now: number,
  authority: CertificateAuthority,
): Promise<JsonObject> {
  const [{ signableRequest }, { templateExtensions }] = await Promise.all([
    import("../../kinds/certificates/certificate-signing-request/signable-request.ts"),
    import("./template-extensions.ts"),
  ]);
  const { subject, publicKey, alternativeNames } = await signableRequest(textAt(request, "spec", "request"));
  const life = lifeOf(numberAt(request, "spec", "expirationSeconds") * 1000);
  const notBefore = now - backdate;
  const pem = await authority.issue({
    subject,
    publicKey,
    extensions: templateExtensions(textsAt(request, "spec", "usages"), alternativeNames),
    notBefore,
    notAfter: (life < shortLived ? now : notBefore) + life,
  });
  return { ...structAt(request, "status"), certificate: btoa(pem) };
}

/** A request without a duration gets the longest one. */
function lifeOf(wanted: number): number {
  return wanted === 0 ? longestLife : Math.min(Math.max(wanted, shortestLife), longestLife);
}

/** @throws the error, unless the request is to blame */
function unsignable(request: KubeObject, error: unknown): JsonObject {
  if (error instanceof RangeError) return failed(request, error.message);
  throw error;
}

function failed(request: KubeObject, message: string): JsonObject {
  const condition = { type: "Failed", status: "True", reason: "SignerValidationFailure", message };
  return {
    ...structAt(request, "status"),
    conditions: [...listAt(request, "status", "conditions"), condition],
  };
}
