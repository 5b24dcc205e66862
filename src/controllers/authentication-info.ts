import type { Clock } from "../apimachinery/clock.ts";
import type { Controller } from "./contract/controller.ts";
import type { AuthenticationTrust } from "./published-trust.ts";

const name = "extension-apiserver-authentication";

/**
 * Publishes to extension API servers how this server authenticates. It adds to what the ConfigMap has, which may be of other servers.
 * Upstream: pkg/controlplane/controller/clusterauthenticationtrust.
 */
export function authenticationInfo(trust: AuthenticationTrust, clock: Clock): Controller {
  const isNeeded = trust.clientCa !== undefined || trust.requestHeader !== undefined;
  return {
    name: "cluster-authentication-info-controller",
    queuesOf: () => ["cluster_authentication_trust_controller"],
    kinds: ["Namespace", "ConfigMap"],
    observe: ({ object: { kind, metadata } }) => {
      if (!isNeeded) return [];
      const isOurs =
        (kind === "Namespace" && metadata.name === "kube-system") ||
        (kind === "ConfigMap" && metadata.name === name && metadata.namespace === "kube-system");
      return isOurs ? [name] : [];
    },
    reconcile: async () => {
      const now = clock.now();
      const { publishTrust } = await import("./published-trust.ts");
      return publishTrust(trust, now);
    },
  };
}
