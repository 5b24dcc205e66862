import type { Clock } from "../../apimachinery/clock.ts";
import { isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const requests = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const hour = 60 * 60 * 1000;
const pendingLife = 24 * hour;
const decidedLife = hour;

/**
 * Deletes requests an hour after they were approved, denied or failed, or a day after they were made. Upstream:
 * pkg/controller/certificates/cleaner/cleaner.go.
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
    if (left > 0) return left;
    const version = request.apiVersion ?? "certificates.k8s.io/v1";
    await client.delete(version, "CertificateSigningRequest", name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return undefined;
  };
}

/** When a request is deleted, in milliseconds since the epoch. */
function endOf(request: KubeObject): number {
  const created = Date.parse(request.metadata.creationTimestamp ?? "");
  const decisions = listAt(request, "status", "conditions").map((condition) =>
    Date.parse(textAt(condition, "lastUpdateTime")),
  );
  const known = decisions.filter((time) => !Number.isNaN(time)).map((time) => time + decidedLife);
  return Math.min(created + pendingLife, ...known);
}
