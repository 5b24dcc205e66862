import type { Clock } from "../../apimachinery/clock.ts";
import { isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { certificatesOfPem } from "../../apimachinery/x509/certificate.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const requests = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const hour = 60 * 60 * 1000;
const pendingLife = 24 * hour;
const decidedLife = hour;

/**
 * Deletes requests an hour after they were denied, failed, or approved if they are signed, when their certificates expire, and a day after
 * they were made if they are not decided. Upstream: pkg/controller/certificates/cleaner/cleaner.go.
 */
export function certificateCleaner(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
): Controller["reconcile"] {
  return async (name) => {
    const request = lister.get(requests, "", name);
    if (request === undefined) return undefined;
    const left = endOf(request) - clock.now();
    if (left > 0) return Number.isFinite(left) ? left : undefined;
    const version = request.apiVersion ?? "certificates.k8s.io/v1";
    await client.delete(version, "CertificateSigningRequest", name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return undefined;
  };
}

/** When a request is deleted, in milliseconds since the epoch. One that is approved and not signed stays. */
function endOf(request: KubeObject): number {
  const conditions = listAt(request, "status", "conditions");
  if (conditions.length === 0) return Date.parse(request.metadata.creationTimestamp ?? "") + pendingLife;
  const certificate = textAt(request, "status", "certificate");
  const ends = conditions.flatMap((condition) => {
    const decided = Date.parse(textAt(condition, "lastUpdateTime")) + decidedLife;
    if (condition["type"] !== "Approved") return [decided];
    return certificate === "" ? [] : [decided, expiryOf(certificate)];
  });
  return Math.min(...ends.filter((time) => !Number.isNaN(time)));
}

/** When a certificate expires; NaN for what is none. */
function expiryOf(certificate: string): number {
  try {
    return certificatesOfPem(atob(certificate))[0]?.notAfter ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
