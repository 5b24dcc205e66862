import type { Clock } from "../../apimachinery/clock.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { invalidSince, lastUsed } from "../../authentication/service-account/legacy-token-use.ts";
import { accountOfToken, uidAnnotation } from "../../authentication/service-account/token-secret.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { deleteSecret } from "./delete-secret.ts";

const day = 24 * 60 * 60 * 1000;
/** `--legacy-service-account-token-clean-up-period`. */
const unusedPeriod = 365 * day;

/**
 * Marks generated tokens of service accounts as invalid after a year without use, and deletes them after another year.
 * Upstream: pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go.
 */
export function legacyTokenCleaner(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
): Controller["reconcile"] {
  return async (key) => {
    const [namespace = "", name = ""] = key.split("/");
    const secret = lister.get({ group: "", resource: "secrets" }, namespace, name);
    if (secret === undefined) return undefined;
    if (!isGenerated(secret, lister) || isMounted(secret, lister)) return day;
    const unusedSince = lastUse(secret, lister);
    if (unusedSince === undefined || clock.now() < unusedSince + unusedPeriod) return day;
    const marked = Date.parse(secret.metadata.labels?.[invalidSince] ?? "");
    if (Number.isNaN(marked)) await mark(secret, client, clock.now());
    else if (clock.now() >= marked + unusedPeriod) await deleteSecret(secret, client);
    return day;
  };
}

/** Whether its account lists the token among its own, as accounts did before 1.24. */
function isGenerated(secret: KubeObject, lister: Lister): boolean {
  const { namespace = "", name } = secret.metadata;
  const account = lister.get({ group: "", resource: "serviceaccounts" }, namespace, accountOfToken(secret));
  if (account === undefined || account.metadata.uid !== secret.metadata.annotations?.[uidAnnotation])
    return false;
  return listAt(account, "secrets").some((reference) => reference["name"] === name);
}

function isMounted({ metadata: { namespace = "", name } }: KubeObject, lister: Lister): boolean {
  return lister
    .list({ group: "", resource: "pods" }, namespace)
    .some((pod) =>
      listAt(pod, "spec", "volumes").some((volume) => textAt(volume, "secret", "secretName") === name),
    );
}

/** The day of the last use, or since when uses are tracked; undefined if they are not. */
function lastUse(secret: KubeObject, lister: Lister): number | undefined {
  const tracking = lister.get(
    { group: "", resource: "configmaps" },
    "kube-system",
    "kube-apiserver-legacy-service-account-token-tracking",
  );
  const since = tracking === undefined ? Number.NaN : Date.parse(textAt(tracking, "data", "since"));
  if (Number.isNaN(since)) return undefined;
  const used = Date.parse(secret.metadata.labels?.[lastUsed] ?? "");
  const created = Date.parse(secret.metadata.creationTimestamp ?? "");
  return Number.isNaN(used) ? Math.max(since, created) : used;
}

async function mark({ metadata }: KubeObject, client: ControllerClient, now: number): Promise<void> {
  const { namespace = "", name = "" } = metadata;
  const labels = { [invalidSince]: new Date(now).toISOString().slice(0, 10) };
  await client.patch("v1", "Secret", name, { metadata: { labels } }, { namespace });
}
