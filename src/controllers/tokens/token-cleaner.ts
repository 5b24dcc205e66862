import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { bootstrapTokenOf } from "../../authentication/contract/bootstrap-secret.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { deleteSecret } from "./delete-secret.ts";

const secrets = { group: "", resource: "secrets" };
const namespace = "kube-system";

/** Deletes expired bootstrap tokens. Upstream: pkg/controller/bootstrap/tokencleaner.go. */
export function tokenCleaner(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
): Controller["reconcile"] {
  return async (name) => {
    const secret = lister.get(secrets, namespace, name);
    const token = secret && bootstrapTokenOf(secret, clock.now());
    if (secret === undefined || token?.expires === undefined) return undefined;
    if (!token.isExpired) return token.expires - clock.now();
    await deleteSecret(secret, client);
    return undefined;
  };
}
