import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ServiceAccountKeys } from "../../authentication/contract/service-account-keys.ts";
import type { Controller, ControllerClient, ObjectChange } from "../contract/controller.ts";
import { onDemand } from "../contract/on-demand.ts";
import { accountOfToken, isTokenSecret } from "./token-secret.ts";

/** The controllers of the tokens in Secrets: those of service accounts, and those with which nodes join. */
export function tokenControllers(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
  keys: ServiceAccountKeys,
  rootCa: () => string,
): readonly Controller[] {
  return [
    onDemand(
      {
        name: "serviceaccount-token-controller",
        kinds: ["ServiceAccount", "Secret"],
        observe: (change) => tokenSecretsOf(change, lister),
      },
      async () =>
        (await import("./service-account-tokens.ts")).serviceAccountTokens(lister, client, keys, rootCa),
    ),
    onDemand(
      { name: "legacy-serviceaccount-token-cleaner-controller", kinds: ["Secret"], observe: putTokenSecret },
      async () => (await import("./legacy-token-cleaner.ts")).legacyTokenCleaner(lister, client, clock),
    ),
    onDemand({ name: "token-cleaner-controller", kinds: ["Secret"], observe: putBootstrapToken }, async () =>
      (await import("./token-cleaner.ts")).tokenCleaner(lister, client, clock),
    ),
    onDemand(
      { name: "bootstrap-signer-controller", kinds: ["ConfigMap", "Secret"], observe: clusterInfoOf },
      async () => (await import("./bootstrap-signer.ts")).bootstrapSigner(lister, client, clock),
    ),
  ];
}

/** The Secret that changed, or those for tokens of the account that changed. */
function tokenSecretsOf(change: ObjectChange, lister: Lister): readonly string[] {
  const { object } = change;
  if (object.kind !== "ServiceAccount") return putTokenSecret(change);
  const { namespace = "", name = "" } = object.metadata;
  return lister
    .list({ group: "", resource: "secrets" }, namespace)
    .filter((secret) => isTokenSecret(secret) && accountOfToken(secret) === name)
    .map(({ metadata }) => `${namespace}/${metadata.name}`);
}

function putTokenSecret({ type, object }: ObjectChange): readonly string[] {
  const { namespace, name } = object.metadata;
  return type === "put" && isTokenSecret(object) ? [`${namespace}/${name}`] : [];
}

function putBootstrapToken({ type, object }: ObjectChange): readonly string[] {
  const { namespace, name = "" } = object.metadata;
  return type === "put" && isBootstrapToken(object) && namespace === "kube-system" ? [name] : [];
}

/** There is one ConfigMap to sign. */
function clusterInfoOf({ object }: ObjectChange): readonly string[] {
  const { kind, metadata } = object;
  const isInfo =
    kind === "ConfigMap" && metadata.name === "cluster-info" && metadata.namespace === "kube-public";
  return isInfo || isBootstrapToken(object) ? ["cluster-info"] : [];
}

function isBootstrapToken(object: KubeObject): boolean {
  return object.kind === "Secret" && object["type"] === "bootstrap.kubernetes.io/token";
}
