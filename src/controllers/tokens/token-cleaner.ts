import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { bootstrapTokenOf } from "../../authentication/contract/bootstrap-secret.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { deleteSecret } from "./token-secret.ts";

const secrets = { group: "", resource: "secrets" };
const namespace = "kube-system";

/** Deletes expired bootstrap tokens. Upstream: pkg/controller/bootstrap/tokencleaner.go. */
export function tokenCleaner(lister: Lister, client: ControllerClient, clock: Clock): Controller {
  return {
    name: "token-cleaner-controller",
    kinds: ["Secret"],
    observe: ({ type, object }) => {
      const isToken =
        type === "put" && object.kind === "Secret" && object["type"] === "bootstrap.kubernetes.io/token";
      return isToken && object.metadata.namespace === namespace ? [object.metadata.name ?? ""] : [];
    },
    reconcile: async (name) => {
      const secret = lister.get(secrets, namespace, name);
      const token = secret && bootstrapTokenOf(secret, clock.now());
      if (secret === undefined || token?.expires === undefined) return undefined;
      if (!token.isExpired) return token.expires - clock.now();
      await deleteSecret(secret, client);
      return undefined;
    },
  };
}
